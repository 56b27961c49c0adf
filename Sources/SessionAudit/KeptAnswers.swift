// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import Foundation
import LocalFirebase
import Metering
import SessionLog

/// The answers of a data set's servers, kept in a file between runs: a simulation that asks for the same need not render a single
/// image.
///
/// A file that cannot be read counts as none, and one that cannot be written is not: what it holds can be had again.
final class KeptAnswers: Sendable {
    private struct Entry: Codable, Sendable {
        let status: Int
        let headers: [String: String]
        let byteCount: Int
        let billed: BilledUsage
        /// The body of an answer of Firestore, which says which images there are; of an image only its size is kept.
        let body: Data?
    }

    private struct Contents: Sendable {
        var entries: [String: Entry]
        var isChanged = false
    }

    /// The files that are kept; of more the oldest go.
    private static let fileCountMax = 16

    private let file: URL
    private let contents: Locked<Contents>

    /// Reads the answers of a key.
    init(_ key: String, in directory: URL) {
        file = directory.appendingPathComponent("answers-\(key).json")
        let kept = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) }
        contents = Locked(Contents(entries: kept ?? [:]))
    }

    /// The answer to a request, if it is kept.
    func answer(to request: TransportRequest) -> FirebaseAnswer? {
        contents.withLock { $0.entries[request.keptAs] }.map { entry in
            let response = TransportResponse(
                status: entry.status,
                headers: HeaderFields(entry.headers),
                body: entry.body ?? Data()
            )
            return FirebaseAnswer(response: response, byteCount: entry.byteCount, billed: entry.billed)
        }
    }

    /// Keeps an answer.
    func keep(_ answer: DirectServers.Answer, to request: TransportRequest) {
        let entry = Entry(
            status: answer.status,
            headers: answer.headers,
            byteCount: answer.body.count,
            billed: answer.billed,
            body: request.url.host == SimulatedEndpoint.firestore.host ? Data(answer.body) : nil
        )
        contents.withLock { contents in
            contents.entries[request.keptAs] = entry
            contents.isChanged = true
        }
    }

    /// Writes what was added to the file.
    func save() {
        let entries = contents.withLock { $0.isChanged ? $0.entries : nil }
        guard let entries, let data = try? JSONEncoder().encode(entries) else { return }
        let directory = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try? data.write(to: file, options: .atomic)
        Self.removeOldest(in: directory)
    }

    private static func removeOldest(in directory: URL) {
        let files = try? FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        let dated = (files ?? []).filter { $0.lastPathComponent.hasPrefix("answers-") }.map { file in
            (file, (try? file.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate)
        }
        let newestFirst = dated.sorted { ($0.1 ?? .distantPast) > ($1.1 ?? .distantPast) }
        for (file, _) in newestFirst.dropFirst(fileCountMax) { try? FileManager.default.removeItem(at: file) }
    }
}

extension TransportRequest {
    fileprivate var keptAs: String {
        let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let lines = ["\(method) \(url.absoluteString)"] + fields + [body?.base64EncodedString() ?? ""]
        return lines.joined(separator: "\n")
    }
}
