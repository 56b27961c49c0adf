// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
import FeedClient
import FeedDataSet
import Foundation
package import LocalFirebase
package import LogImport
import SessionLog

extension EmulatorConfiguration {
    /// An emulator for a session that was read from a path: its clock stands at the session's start and its tokens are counted,
    /// so that each replay is the same.
    ///
    /// It has the data that are given, or the data set that the log names; for inferred views without either, objects of the
    /// sizes that the log says. Data sets and such objects have the smaller copies that strategies ask for, too.
    package init(
        for session: SessionSource,
        at path: String,
        data: SessionAuditor.ServedData = .ofLog,
        strategies: [Strategy] = []
    ) throws(AuditError) {
        let start = session.header.createdAt.microseconds
        self.init(now: { start }, makeToken: CountedTokens().make)
        ports = .free
        seedVariants = strategies.seedVariants
        // Only a strategy that loads what cannot be had fails, when it comes to that.
        requiresSeedVariants = false
        switch data {
        case .dataSet(let seed): seedPath = seed
        case .directory(let directory):
            guard Self.isDataDirectory(directory) else { throw .noDataDirectory(directory) }
            storage = .directory(directory)
            keepsUsage = false
        case .ofLog where session.header.imported == nil: seedPath = try Self.dataSetPath(of: session, at: path)
        case .ofLog: placeholders = try Self.placeholders(of: session, strategies: strategies)
        }
    }

    /// The most bytes of objects that are made for a replay: what a temporary directory surely has room for.
    private static let placeholderByteCountMax: Int64 = 4_000_000_000

    private static func placeholders(
        of session: SessionSource,
        strategies: [Strategy]
    ) throws(AuditError) -> [PlaceholderObject] {
        let feed = RecordedFeed(of: session.images)
        if !feed.knowsPixels, let strategy = strategies.first(where: { $0.resizedVariant != nil }) {
            throw .copiesUnknown(strategy.name)
        }
        let objects = feed.objects(withCopies: strategies.variants)
        let byteCount = objects.reduce(0) { $0 + $1.byteCount }
        guard byteCount <= placeholderByteCountMax else {
            throw .tooMuchToMake(byteCount, atMost: placeholderByteCountMax)
        }
        return objects.map { PlaceholderObject(bucket: $0.bucket, name: $0.name, byteCount: $0.byteCount) }
    }

    private static func isDataDirectory(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/storage")
    }

    private static func dataSetPath(of session: SessionSource, at path: String) throws(AuditError) -> String {
        guard let dataSet = session.header.dataSet else { throw .noDataSet(path) }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        return URL(fileURLWithPath: dataSet, relativeTo: directory).standardizedFileURL.path
    }
}

extension [Strategy] {
    /// The smaller copies that they ask for, each once, in their order.
    fileprivate var variants: [ResizedVariant] {
        var known: Set<ResizedVariant> = []
        return compactMap(\.resizedVariant).filter { known.insert($0).inserted }
    }

    fileprivate var seedVariants: [SeedVariant] {
        variants.map { SeedVariant(pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight) }
    }
}
