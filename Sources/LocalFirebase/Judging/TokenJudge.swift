// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DocumentStore
import FirestoreModel
import FirestoreServer
import JSON
import StorageServer
import Wire

/// The demands of production on ID tokens, before it asks Security Rules.
///
/// A token of another project is refused whatever the rules say (recorded against production, September 2026). That one which
/// has expired is refused alike is our inference. Tokens of test libraries, which were issued in 1970, pass.
struct TokenCheck: Sendable {
    let clock: AuthClock

    /// Whether a caller's token is taken.
    ///
    /// - Parameters:
    ///   - caller: The caller; one without a token passes.
    ///   - project: The project of the data.
    /// - Returns: False for a token that production would refuse.
    func takes(_ caller: Caller, in project: String) -> Bool {
        guard caller.claims["iss"]?.string?.hasPrefix(IDToken.issuerPrefix) == true,
            let issuedAt = caller.claims["iat"]?.integer, issuedAt > 0
        else { return true }
        let end = caller.claims["exp"]?.integer ?? .max
        return caller.claims["aud"]?.string == project && clock.seconds < end
    }
}

/// Judges callers of Firestore by their tokens, and then by Security Rules.
struct TokenJudge: FirestoreJudge {
    let tokens: TokenCheck
    let rules: any FirestoreJudge

    func authorize(_ reads: [DocumentRead], for caller: Caller, noting judgement: inout Judgement) throws {
        if let database = reads.first?.database { try check(caller, in: database) }
        try rules.authorize(reads, for: caller, noting: &judgement)
    }

    func authorize(_ read: QueryRead, for caller: Caller, noting judgement: inout Judgement) throws -> VerdictTerm {
        try check(caller, in: read.database)
        return try rules.authorize(read, for: caller, noting: &judgement)
    }

    func authorize(_ commit: ProposedCommit, for caller: Caller, noting judgement: inout Judgement) throws {
        try check(caller, in: commit.database)
        try rules.authorize(commit, for: caller, noting: &judgement)
    }

    func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) throws {
        try check(caller, in: database)
        try rules.authorize(call, in: database, for: caller)
    }

    private func check(_ caller: Caller, in database: DatabaseID) throws {
        guard tokens.takes(caller, in: database.project) else {
            throw FirestoreError(.permissionDenied, "Missing or insufficient permissions.")
        }
    }
}

/// Judges callers of Storage by their tokens, and then by Security Rules, where there are any.
struct StorageTokenJudge: StorageJudge {
    let tokens: TokenCheck
    /// The project of the buckets.
    let project: String
    var rules: (any StorageJudge)?

    /// The judge that asks another one afterwards.
    func before(_ judge: (any StorageJudge)?) -> Self { Self(tokens: tokens, project: project, rules: judge) }

    func authorize(_ access: StorageAccess, for caller: Caller, noting judgement: inout Judgement) throws {
        guard tokens.takes(caller, in: project) else { throw StorageRefusal() }
        try rules?.authorize(access, for: caller, noting: &judgement)
    }
}
