// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreServer
import NIOConcurrencyHelpers
import SecurityRules
import Wire

/// Reads of documents that rules have allowed, so that those which apps make again and again are judged once.
///
/// A verdict is kept that depends on nothing but the reader and the document. It holds for the same token and the same fields.
final class AllowedReads: Sendable {
    private final class Read: Sendable {
        let path: DocumentPath
        let database: DatabaseID
        let caller: Caller
        /// `nil` for a document that is missing.
        let fields: EncodedFields?
        let allowance: RulesAllowance

        init(
            of path: DocumentPath,
            in database: DatabaseID,
            _ fields: EncodedFields?,
            for caller: Caller,
            _ allowance: RulesAllowance
        ) {
            (self.path, self.database, self.fields) = (path, database, fields)
            (self.caller, self.allowance) = (caller, allowance)
        }

        func isOf(_ path: DocumentPath, in database: DatabaseID, _ fields: EncodedFields?, for caller: Caller) -> Bool {
            self.caller.identity === caller.identity && self.fields == fields && self.path == path
                && self.database == database
        }
    }

    /// Larger documents are judged each time.
    private static let fieldByteCountMax = 4_096
    private static let readCountMax = 1_024

    /// Empty until there is one.
    private let reads = NIOLockedValueBox<[Read?]>([])

    /// The verdict on an equal read before.
    func allowance(
        of path: DocumentPath,
        in database: DatabaseID,
        _ fields: EncodedFields?,
        for caller: Caller
    ) -> RulesAllowance? {
        reads.withLockedValue { reads in
            guard !reads.isEmpty, let read = reads[Self.place(of: path)],
                read.isOf(path, in: database, fields, for: caller)
            else { return nil }
            return read.allowance
        }
    }

    /// Keeps the verdict on a read, in the place of another.
    func keep(
        _ allowance: RulesAllowance,
        of path: DocumentPath,
        in database: DatabaseID,
        _ fields: EncodedFields?,
        for caller: Caller
    ) {
        guard allowance.isLasting, fields?.bytes.count ?? 0 <= Self.fieldByteCountMax else { return }
        let read = Read(of: path, in: database, fields, for: caller, allowance)
        reads.withLockedValue { reads in
            if reads.isEmpty { reads = Array(repeating: nil, count: Self.readCountMax) }
            reads[Self.place(of: path)] = read
        }
    }

    private static func place(of path: DocumentPath) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in path.id.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(hash ^ (hash >> 16)) & (readCountMax - 1)
    }
}
