// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DocumentStore
import FirestoreModel
import FirestoreServer
import JSON
import StorageServer
import Wire

/// Lets signed-in users read and write everything, and others nothing: the rules that a new project begins with,
/// `allow read, write: if request.auth != null`.
///
/// A user is signed in who bears a token with an id that has not expired; its signature is not checked. Downloads with a
/// download token, and administrators, are not judged. (firebase.google.com/docs/rules/basics, "All authenticated users",
/// 2026-11.)
struct SignInJudge {
    let clock: AuthClock

    private func isSignedIn(_ caller: Caller) -> Bool {
        guard caller.userID != nil else { return false }
        guard case .integer(let expiry)? = caller.claims["exp"] else { return true }
        return expiry > clock.seconds
    }
}

extension SignInJudge: FirestoreJudge {
    func authorize(_ reads: [DocumentRead], for caller: Caller, noting judgement: inout Judgement) throws {
        try check(caller)
    }
    func authorize(_ read: QueryRead, for caller: Caller, noting judgement: inout Judgement) throws -> VerdictTerm {
        try check(caller)
        return .lasting
    }
    func authorize(_ commit: ProposedCommit, for caller: Caller, noting judgement: inout Judgement) throws {
        try check(caller)
    }
    func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) throws { throw Self.refusal }

    private func check(_ caller: Caller) throws {
        guard isSignedIn(caller) else { throw Self.refusal }
    }

    private static let refusal = FirestoreError(.permissionDenied, "Missing or insufficient permissions.")
}

extension SignInJudge: StorageJudge {
    func authorize(_ access: StorageAccess, for caller: Caller, noting judgement: inout Judgement) throws {
        if case .changeTokens = access { throw StorageRefusal() }
        guard isSignedIn(caller) else { throw StorageRefusal() }
    }
}
