// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Books every byte of the responses' bodies under what it was for, as it is known by now.
///
/// The causes always sum to what was received: a prefetched image that is shown moves to ``ByteCause/first``, the parts of
/// an image that is resumed move with it. What the kernel had received of a cancelled response, but not handed on,
/// is in the server's count only.
public final class ByteLedger: Sendable {
    /// The most images that the ledger remembers having been loaded; of those beyond, another load counts as the first.
    static let keyCountMax = 1_000_000

    fileprivate struct Books {
        var totals: [ByteCause: Int] = [:]
        var loaded: Set<String> = []
        var prefetched: [String: Int] = [:]
        var broken: [String: Int] = [:]

        mutating func move(_ byteCount: Int, from source: ByteCause, to target: ByteCause) {
            totals[source, default: 0] -= byteCount
            totals[target, default: 0] += byteCount
        }
    }

    private let books = Locked(Books())

    /// Creates a ledger without entries.
    public init() {}

    /// The bytes by cause; a cause without bytes is 0.
    public var totals: [ByteCause: Int] {
        books.withLock { books in
            Dictionary(uniqueKeysWithValues: ByteCause.allCases.map { ($0, books.totals[$0] ?? 0) })
        }
    }

    /// All bytes received.
    public var total: Int { totals.values.reduce(0, +) }

    /// Books bytes that belong to no image.
    func record(_ byteCount: Int, as cause: ByteCause) { books.withLock { $0.totals[cause, default: 0] += byteCount } }

    /// Books what a load brought.
    func record(_ report: FetchReport, of key: String, isPrefetch: Bool, isRevalidation: Bool) {
        books.withLock { books in
            books.totals[.failed, default: 0] += report.bytes.lost
            // Its parts are in hand, or were thrown away; either way they wait for nothing any more.
            let broken = books.broken.removeValue(forKey: key) ?? 0
            switch report.result {
            case .image:
                let cause = books.cause(of: key, isPrefetch: isPrefetch, isRevalidation: isRevalidation)
                let resumed = min(broken, report.bytes.resumed)
                books.totals[cause, default: 0] += report.bytes.image
                books.move(resumed, from: .aborted, to: cause)
                if cause == .prefetchedUnused { books.prefetched[key] = report.bytes.image + resumed }
            case .notModified, .failure, .cancelled:
                let cause: ByteCause = report.isCancelled || report.bytes.isKept ? .aborted : .failed
                books.totals[cause, default: 0] += report.bytes.image
                if report.bytes.isKept { books.broken[key] = min(broken, report.bytes.resumed) + report.bytes.image }
            }
        }
    }

    /// Notes that an image was requested.
    func noteUse(of key: String) {
        books.withLock { books in
            guard let byteCount = books.prefetched.removeValue(forKey: key) else { return }
            books.move(byteCount, from: .prefetchedUnused, to: .first)
        }
    }
}

extension ByteLedger.Books {
    fileprivate mutating func cause(of key: String, isPrefetch: Bool, isRevalidation: Bool) -> ByteCause {
        let isFirst = !loaded.contains(key)
        if loaded.count < ByteLedger.keyCountMax { loaded.insert(key) }
        if isRevalidation { return .revalidated }
        guard isFirst else { return .again }
        return isPrefetch ? .prefetchedUnused : .first
    }
}

extension FetchReport {
    fileprivate var isCancelled: Bool {
        if case .cancelled = result { true } else { false }
    }
}

/// The purpose of a byte of a response's body.
public enum ByteCause: String, Sendable, Hashable, CaseIterable, CodingKeyRepresentable {
    /// Answers to queries and uploads.
    case documents
    /// Images that had not been loaded before.
    case first
    /// Images that had been loaded before, in the same generation.
    case again
    /// Images that their server had replaced, as asking for them showed.
    case revalidated
    /// Images loaded beforehand that are not requested yet.
    case prefetchedUnused
    /// Parts of images that were no longer awaited, and that are not resumed yet.
    case aborted
    /// Refusals, and images that came damaged or failed halfway.
    case failed
}
