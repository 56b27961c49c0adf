// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Asks for credentials; many requests that are refused at once have them refreshed once.
actor CredentialStore {
    private let provider: any FirebaseCredentialProvider
    private var refresh: Task<FirebaseCredentials, any Error>?
    /// The last that were refused and refreshed to others.
    private var replaced: (refused: FirebaseCredentials, by: FirebaseCredentials)?

    init(_ provider: any FirebaseCredentialProvider) { self.provider = provider }

    /// The credentials of now.
    func credentials() async throws -> FirebaseCredentials {
        do {
            return try await provider.credentials(forcingRefresh: false)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Other credentials than those that a server refused; `nil` where there are none.
    func credentials(insteadOf refused: FirebaseCredentials) async throws -> FirebaseCredentials? {
        // Another request may have had them refreshed meanwhile.
        let known = try await credentials()
        guard known == refused else { return known }
        // The refresh may have ended since these were asked for.
        if let replaced, replaced.refused == refused { return replaced.by }
        // One task for all that wait for it, so that none that is cancelled takes it from the others.
        let task = refresh ?? Task { [provider] in try await provider.credentials(forcingRefresh: true) }
        refresh = task
        defer { if refresh == task { refresh = nil } }
        do {
            let refreshed = try await task.value
            guard refreshed != refused else { return nil }
            replaced = (refused, refreshed)
            return refreshed
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> any Error {
        error is CancellationError ? error : FeedError.credentialsMissing(because: error)
    }
}
