// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// A sign-in that has been found to be right, before functions have their say.
struct SignInPlan {
    /// The user as it is to be.
    var account: Account
    /// The user as it was; `nil` for a new one.
    var former: Account?
    var facts: SignInFacts
    /// Details for functions.
    var details: BlockingDetails
    /// The members of the answer besides tokens, of the user as it is in the end.
    var answer: (Account) -> [(String, JSONText?)]
    /// Whether users with a second factor are asked for it.
    var takesSecondFactor = true
    /// Whether the caller did not ask for secure tokens, where that counts.
    var takesBriefToken = false
    /// Whether the user was disabled between the factors, which production does not look at.
    var takesDisabled = false
    /// Whether functions are asked.
    var asksFunctions = true

    var isNew: Bool { former == nil }
    /// Whether the user has been created by it, also where that is stored by now.
    var isFirst: Bool { isNew || former?.lastLoginAt == nil }
}

/// The outcome of looking at a sign-in.
enum SignInStep {
    case signIn(SignInPlan)
    /// Everything is said.
    case answer(JSONText)
}

extension AuthOperations {
    /// Carries out a sign-in: in one transaction, unless functions have to be asked in between.
    ///
    /// - Parameters:
    ///   - settings: The settings of the scope.
    ///   - look: Finds out what the sign-in does.
    /// - Returns: The answer.
    /// - Throws: A refusal, also that of a function.
    func signIn(
        _ settings: AuthSettings,
        _ look: (AccountTransaction) throws -> SignInStep
    ) async throws -> JSONText {
        guard settings.hasBlockingFunctions else {
            return try writing { transaction in
                switch try look(transaction) {
                case .answer(let answer): return answer
                case .signIn(var plan): return try finish(&plan, settings, transaction)
                }
            }
        }
        switch try writing(look) {
        case .answer(let answer): return answer
        case .signIn(var plan):
            try await askFunctions(&plan, settings)
            let outcome = try writing { transaction in
                // Saved even where a function has disabled the user, which is said afterwards.
                Result { () throws -> JSONText in try finish(&plan, settings, transaction) }
            }
            return try outcome.get()
        }
    }

    private func finish(
        _ plan: inout SignInPlan,
        _ settings: AuthSettings,
        _ transaction: AccountTransaction
    ) throws -> JSONText {
        plan.account.updateProviders()
        if plan.account.isDisabled == true, !plan.takesDisabled {
            try transaction.save(plan.account, replacing: plan.former)
            throw AuthFailure.bad("USER_DISABLED")
        }
        if plan.takesSecondFactor, settings.asksForSecondFactor, let factors = plan.account.secondFactors,
            !factors.isEmpty
        {
            try transaction.save(plan.account, replacing: plan.former)
            let credential = PendingCredential(
                localID: plan.account.localID,
                provider: plan.facts.provider,
                scope: scope,
                issuedAt: context.profile.isProduction ? context.clock.seconds : nil
            )
            return .object(
                compacting: plan.answer(plan.account) + [
                    ("mfaPendingCredential", .string(credential.text)), ("mfaInfo", .array(factors.map(\.hintJSON))),
                ]
            )
        }
        noteSignIn(of: &plan.account, by: plan.facts.provider, isFirst: plan.isFirst)
        let tokens = tokens(&plan.account, plan.facts, isBrief: plan.takesBriefToken)
        try transaction.save(plan.account, replacing: plan.former)
        return .object(compacting: plan.answer(plan.account) + tokens.map { ($0.0, $0.1) })
    }

    private func askFunctions(_ plan: inout SignInPlan, _ settings: AuthSettings) async throws {
        guard plan.asksFunctions else { return }
        let functions = BlockingFunctions(context: context, scope: scope, settings: settings)
        if plan.isNew {
            if context.profile.isProduction {
                // Production keeps a new user whom the function for sign-ins refuses, with these members.
                plan.account.updateProviders()
                plan.account.lastRefreshAt = context.clock.milliseconds
            }
            let response = try await functions.ask(.beforeCreate, plan.account, plan.details)
            response.apply(to: &plan.account)
            plan.account.updateProviders()
            let created = plan.account
            try writing { try $0.save(created, replacing: nil) }
            plan.former = created
        }
        let hasFactor = settings.asksForSecondFactor && plan.account.secondFactors?.isEmpty == false
        guard plan.account.isDisabled != true, !(plan.takesSecondFactor && hasFactor) else { return }
        let response = try await functions.ask(.beforeSignIn, plan.account, plan.details)
        response.apply(to: &plan.account)
        plan.facts.claims.merge(response.sessionClaims) { $1 }
    }
}

extension SecondFactor {
    /// The factor as it is offered to a user who has not yet shown it.
    fileprivate var hintJSON: JSONText {
        .object(compacting: [
            ("displayName", displayName.map(JSONText.string)), ("enrolledAt", enrolledAt.map(JSONText.string)),
            ("mfaEnrollmentId", .string(id)), ("phoneInfo", phoneNumber.map { .string($0.obfuscatedPhoneNumber) }),
            ("totpInfo", sharedSecret.map { _ in .object([]) }),
        ])
    }
}

extension String {
    /// A phone number of which only the last four digits show.
    var obfuscatedPhoneNumber: String {
        var digitCount = 0
        let characters = reversed().map { character -> Character in
            guard character.isASCII, character.isNumber else { return character }
            digitCount += 1
            return digitCount > 4 ? "*" : character
        }
        return String(characters.reversed())
    }
}
