// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// `accounts:update` by a code that was sent by e-mail.
extension AuthOperations {
    /// Changes the user of a code; the change is still to be stored.
    func apply(_ text: String, _ transaction: AccountTransaction) throws -> AccountChange {
        try apply(try require(try transaction.actionCode(text), "INVALID_OOB_CODE"), transaction)
    }

    /// Changes the user of a code, which is used by that.
    func apply(_ code: ActionCode, _ transaction: AccountTransaction) throws -> AccountChange {
        let account =
            try context.profile.isProduction ? userOfProduction(code, transaction) : user(of: code, transaction)
        let email = code.purpose == .verifyAndChangeEmail ? code.newEmail : code.email
        let address = try require(email, "INVALID_OOB_CODE")
        try transaction.remove(actionCode: code.code)
        var change = AccountChange(try require(account, "INVALID_OOB_CODE"))
        if code.purpose == .verifyEmail {
            change.provider = ProviderName.password
        } else {
            try require(try transaction.account(email: address) == nil, "EMAIL_EXISTS")
        }
        if code.purpose == .verifyAndChangeEmail { change.newEmail = address }
        if context.profile.isProduction, code.purpose != .verifyEmail { try revoke(&change, by: code, transaction) }
        change.account.email = address
        change.account.isEmailVerified = true
        return change
    }

    /// As above, and stores the user.
    func applyAndSave(_ code: ActionCode, _ transaction: AccountTransaction) throws -> AccountChange {
        var change = try apply(code, transaction)
        change.account.updateProviders()
        try transaction.save(change.account, replacing: change.former)
        return change
    }

    /// Ends the sessions of a user whose address changes, and what was sent to the former one.
    private func revoke(_ change: inout AccountChange, by code: ActionCode, _ transaction: AccountTransaction) throws {
        change.account.validSince = context.clock.seconds
        guard code.purpose == .verifyAndChangeEmail, let former = change.account.email else { return }
        change.account.initialEmail = former
        try transaction.removeActionCodes(for: .verifyEmail, email: former)
    }

    /// The user with the address of a code, as on the official emulator.
    private func user(of code: ActionCode, _ transaction: AccountTransaction) throws -> Account? {
        switch code.purpose {
        case .verifyEmail, .verifyAndChangeEmail: try transaction.account(email: code.email)
        case .recoverEmail: try transaction.account(initialEmail: code.email)
        case .passwordReset, .emailSignIn: throw AuthFailure.notImplemented(code.purpose.rawValue)
        }
    }

    /// The user of a code in production, where codes belong to users; a code that is refused here is not used.
    private func userOfProduction(_ code: ActionCode, _ transaction: AccountTransaction) throws -> Account? {
        switch code.purpose {
        case .passwordReset, .emailSignIn: throw AuthFailure.bad("INVALID_OOB_CODE")
        case .recoverEmail: return try transaction.account(initialEmail: code.email)
        case .verifyEmail, .verifyAndChangeEmail: break
        }
        let user = try require(try owner(of: code, transaction), "INVALID_OOB_CODE")
        if code.purpose == .verifyEmail { try require(user.email == code.email, "EMAIL_NOT_FOUND") }
        try require(user.isDisabled != true, "USER_DISABLED")
        return user
    }

    /// The user for whom a code was made; `nil` where that user is gone, and for an address without one.
    func owner(of code: ActionCode, _ transaction: AccountTransaction) throws -> Account? {
        try code.userID.flatMap(transaction.account(id:))
    }
}
