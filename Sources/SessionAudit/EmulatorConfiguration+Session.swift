// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Auditing
import FeedClient
import FeedDataSet
import Foundation
package import LocalFirebase
package import SessionLog

extension EmulatorConfiguration {
    /// An emulator for a session that was read from a path: its clock stands at the session's start and its tokens are counted,
    /// so that each replay is the same.
    ///
    /// It is seeded with the data set that the log names, or with another, and has the smaller copies that strategies ask for.
    package init(
        for session: SessionLog,
        at path: String,
        seed: String? = nil,
        strategies: [Strategy] = []
    ) throws(AuditError) {
        let start = session.header.createdAt.microseconds
        self.init(now: { start }, makeToken: CountedTokens().make)
        ports = .free
        if let seed { seedPath = seed } else { seedPath = try Self.dataSetPath(of: session, at: path) }
        seedVariants = strategies.seedVariants
        // Only a strategy that loads what cannot be had fails, when it comes to that.
        requiresSeedVariants = false
    }

    private static func dataSetPath(of session: SessionLog, at path: String) throws(AuditError) -> String {
        guard let dataSet = session.header.dataSet else { throw .noDataSet(path) }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        return URL(fileURLWithPath: dataSet, relativeTo: directory).standardizedFileURL.path
    }
}

extension [Strategy] {
    /// The smaller copies that they ask for, each once, in their order.
    fileprivate var seedVariants: [SeedVariant] {
        var known: Set<ResizedVariant> = []
        return compactMap(\.resizedVariant).filter { known.insert($0).inserted }.map {
            SeedVariant(pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight)
        }
    }
}
