// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    private static let unsupportedFirstFactor =
        "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user."

    /// The operations in the order of their numbers (`VerifyOp`, Identity Toolkit v1, 2026-11).
    private static let operations = ["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]

    /// `accounts:sendVerificationCode`: sends a code to a phone.
    func sendVerificationCode() throws -> JSONText {
        let settings = try enabledSettings()
        try require(scope.tenant == nil, "UNSUPPORTED_TENANT_OPERATION")
        try require(settings.allowsPhones, "OPERATION_NOT_ALLOWED")
        let number = try checkedPhoneNumber(try body.text("phoneNumber"))
        let code = try writing { transaction in
            let user = try transaction.account(phoneNumber: number)
            try require(user?.secondFactors?.isEmpty ?? true, Self.unsupportedFirstFactor)
            if context.profile.isProduction, user == nil {
                try require(settings.allowsSignUp, "ADMIN_ONLY_OPERATION")
            }
            return try send(to: number, for: .signIn, settings, transaction)
        }
        return .object([("sessionInfo", .string(code.session))])
    }

    /// Keeps a code for a phone, and says so, unless the number is for tests and has a code of its own.
    func send(
        to number: String,
        for use: AuthMessage.PhoneUse,
        _ settings: AuthSettings,
        _ transaction: AccountTransaction
    ) throws -> PhoneCode {
        let testCode = settings.testCode(of: number)
        let code = PhoneCode(
            phoneNumber: number,
            session: context.random.code(226),
            code: testCode ?? context.random.digits(6),
            createdAt: context.clock.milliseconds
        )
        try transaction.add(code)
        if testCode == nil {
            context.onMessage(.text(code, use))
            call.outcome.addMessage()
        }
        return code
    }

    /// `accounts:signInWithPhoneNumber`: with a code that was sent to a phone, or the proof of an earlier one.
    func signInWithPhoneNumber() async throws -> JSONText {
        let settings = try enabledSettings()
        try require(scope.tenant == nil, "UNSUPPORTED_TENANT_OPERATION")
        return try await signIn(settings) { transaction in
            let proof = try body.filled("temporaryProof")
            let number = try verifiedNumber(proof: proof, transaction)
            let owner = try transaction.account(phoneNumber: number)
            let linking = try bearer(transaction)?.account
            if let owner, let linking, owner.localID != linking.localID {
                try require(proof == nil, "PHONE_NUMBER_EXISTS")
                return .answer(try newProof(of: number, transaction))
            }
            let former = linking ?? owner
            try require(former?.isDisabled != true, "USER_DISABLED")
            try require(former?.secondFactors?.isEmpty ?? true, Self.unsupportedFirstFactor)
            if former == nil {
                // A user who signs in again is not to become another one.
                try require(try body.choice("operation", of: Self.operations) != "REAUTH", "USER_NOT_FOUND")
                try require(settings.allowsSignUp, "ADMIN_ONLY_OPERATION")
            }
            var account = try former ?? Account(localID: newLocalID(transaction))
            account.phoneNumber = number
            account.lastLoginAt = context.clock.milliseconds
            if former == nil { account.createdAt = account.lastLoginAt }
            return .signIn(
                SignInPlan(
                    account: account,
                    former: former,
                    facts: SignInFacts(provider: ProviderName.phone),
                    details: BlockingDetails("phone"),
                    answer: { account in
                        [
                            ("isNewUser", .boolean(former == nil)), ("phoneNumber", .string(number)),
                            ("localId", .string(account.localID)),
                        ]
                    },
                    takesSecondFactor: false
                )
            )
        }
    }

    private func verifiedNumber(proof: String?, _ transaction: AccountTransaction) throws -> String {
        guard let proof else {
            let session = try require(try body.filled("sessionInfo"), "MISSING_SESSION_INFO")
            let code = try require(try body.filled("code"), "MISSING_CODE")
            return try useCode(code, of: session, transaction)
        }
        let number = try require(try body.filled("phoneNumber"), "MISSING_PHONE_NUMBER")
        try require(try transaction.isProof(proof, of: number), "INVALID_TEMPORARY_PROOF")
        return number
    }

    /// Uses a code that was sent to a phone, whose number is returned.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - session: The session in which it was sent.
    ///   - keepsIt: Whether it may be used again.
    ///   - transaction: The transaction.
    /// - Returns: The number.
    /// - Throws: A refusal.
    func useCode(
        _ code: String,
        of session: String,
        keepsIt: Bool = false,
        _ transaction: AccountTransaction
    ) throws -> String {
        let sent = try require(try transaction.phoneCode(session: session), "INVALID_SESSION_INFO")
        try require(sent.code == code, "INVALID_CODE")
        if !keepsIt { try transaction.remove(phoneCode: session) }
        return sent.phoneNumber
    }

    private func newProof(of number: String, _ transaction: AccountTransaction) throws -> JSONText {
        let proof = context.random.code(119)
        try transaction.add(phoneProof: proof, of: number, at: context.clock.milliseconds)
        return .object([
            ("phoneNumber", .string(number)), ("temporaryProof", .string(proof)), ("temporaryProofExpiresIn", "3600"),
        ])
    }
}
