// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Sends requests to one service with credentials; a request that is refused is sent once more with newer ones.
final class AuthorizedTransport: HTTPTransport {
    /// The word before the ID token.
    enum Scheme: String, Sendable {
        /// Firestore's.
        case bearer = "Bearer"
        /// Cloud Storage for Firebase's.
        case firebase = "Firebase"
    }

    private let base: any HTTPTransport
    private let store: CredentialStore
    private let scheme: Scheme
    private let refusals = Locked(0)

    init(_ base: any HTTPTransport, store: CredentialStore, scheme: Scheme) {
        (self.base, self.store, self.scheme) = (base, store, scheme)
    }

    /// The bytes of the bodies of refusals after which a request was sent again.
    var refusedByteCount: Int { refusals.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let credentials = try await store.credentials()
        let response = try await base.send(request.opened(by: credentials, scheme: scheme))
        guard response.status == 401 || response.status == 403,
            let newer = try await store.credentials(insteadOf: credentials)
        else { return response.masking(credentials) }
        for try await piece in response.body { refusals.withLock { $0 += piece.count } }
        return try await base.send(request.opened(by: newer, scheme: scheme)).masking(newer)
    }
}

extension TransportResponse {
    /// A refusal without the tokens that its server may repeat in it: its message becomes an error's.
    fileprivate func masking(_ credentials: FirebaseCredentials) -> Self {
        guard status >= 400 else { return self }
        var response = self
        response.body = body.masking([credentials.idToken, credentials.appCheckToken].compactMap(\.self))
        return response
    }
}

extension TransportRequest {
    fileprivate func opened(by credentials: FirebaseCredentials, scheme: AuthorizedTransport.Scheme) -> Self {
        var request = self
        if let token = credentials.idToken {
            request.headers[CredentialFields.authorization] = "\(scheme.rawValue) \(token)"
        }
        if let token = credentials.appCheckToken { request.headers[CredentialFields.appCheck] = token }
        return request
    }
}

/// The header fields that credentials are sent in, and that never leave for another host.
enum CredentialFields {
    static let authorization = "Authorization"
    static let appCheck = "X-Firebase-AppCheck"
    static let all = [authorization, appCheck]
}
