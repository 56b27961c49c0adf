// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import AccountStore
package import JSON
package import Wire

/// The parts of an Authentication server that all its calls share.
package struct AuthContext: Sendable {
    let store: SQLiteAccountStore
    let clock: AuthClock
    let random: AuthRandom
    let settings: SettingsCache
    /// The tokens of identity providers that count once, and have counted.
    let usedTokens = UsedTokens()
    /// Whose answers the server gives.
    let profile: AuthProfile
    /// The project of callers that name none.
    let project: String
    /// Whether other projects are refused; else they are there as soon as they are named.
    let refusesOtherProjects: Bool
    /// Notes the projects of calls; `nil` where they are not reported.
    let projects: ProjectWatch?
    /// Receives codes and links that would be sent.
    let onMessage: @Sendable (AuthMessage) -> Void
    /// Receives what a developer should know.
    let onWarning: @Sendable (String) -> Void

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - store: The accounts.
    ///   - clock: The time of accounts and tokens.
    ///   - profile: Whose answers the server gives.
    ///   - project: The project of callers that name none.
    ///   - refusesOtherProjects: Whether other projects are refused.
    ///   - projects: Takes the project of each call.
    ///   - random: Makes ids and codes.
    ///   - onMessage: Receives codes and links that would be sent.
    ///   - onWarning: Receives what a developer should know.
    package init(
        store: SQLiteAccountStore,
        clock: AuthClock,
        profile: AuthProfile = .emulator,
        project: String,
        refusesOtherProjects: Bool = false,
        projects: ProjectWatch? = nil,
        random: AuthRandom = AuthRandom(),
        onMessage: @escaping @Sendable (AuthMessage) -> Void = { _ in },
        onWarning: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        self.clock = clock
        self.random = random
        settings = SettingsCache(store: store, profile: profile)
        self.profile = profile
        self.project = project
        self.refusesOtherProjects = refusesOtherProjects
        self.projects = projects
        self.onMessage = onMessage
        self.onWarning = onWarning
    }
}

extension AuthContext {
    /// Has functions decide on sign-ins of a project whose settings name none.
    ///
    /// - Parameters:
    ///   - functions: The functions, in the form of Identity Platform's `blockingFunctions`; `nil` for none.
    ///   - project: The project.
    package func decide(by functions: JSONValue?, project: String) { settings.use(functions, project: project) }
}
