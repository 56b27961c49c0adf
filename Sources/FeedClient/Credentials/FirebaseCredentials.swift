// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The tokens that open private data: the signed-in user's and the app's.
///
/// They are sent as Firebase's own clients send them, and only to the hosts of the feed's endpoint: in no log, no cache key, no
/// file and no message do they occur. (firebase-ios-sdk 12, `StorageTokenAuthorizer.swift`: `Authorization: Firebase` and
/// `X-Firebase-AppCheck`; Firestore takes `Bearer`. 2026-11.)
public struct FirebaseCredentials: Sendable, Hashable {
    /// The ID token of Firebase Authentication; `nil` without a user.
    public var idToken: String?
    /// The token of App Check; `nil` for an app without it.
    public var appCheckToken: String?

    /// Creates credentials.
    public init(idToken: String?, appCheckToken: String? = nil) {
        self.idToken = idToken
        self.appCheckToken = appCheckToken
    }
}

extension FirebaseCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which tokens there are, without the tokens.
    public var description: String {
        "credentials (ID token: \(idToken == nil ? "no" : "yes"), App Check: \(appCheckToken == nil ? "no" : "yes"))"
    }

    /// As ``description``.
    public var debugDescription: String { description }

    /// A mirror without the tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives the tokens of the user who is signed in now.
///
/// With Firebase's own libraries:
///
///     struct SignedIn: FirebaseCredentialProvider {
///         func credentials(forcingRefresh: Bool) async throws -> FirebaseCredentials {
///             FirebaseCredentials(
///                 idToken: try await Auth.auth().currentUser?.getIDToken(forcingRefresh: forcingRefresh),
///                 appCheckToken: try await AppCheck.appCheck().token(forcingRefresh: forcingRefresh).token
///             )
///         }
///     }
///
/// Images that one user's tokens have opened stay in the caches: give each user a directory of their own, and a pipeline.
public protocol FirebaseCredentialProvider: Sendable {
    /// Returns the tokens; asked before every request, so that it should answer from memory while they are valid.
    ///
    /// `forcingRefresh` asks for new ones, because a server has just refused those there were: requests that are refused at
    /// the same time ask once.
    func credentials(forcingRefresh: Bool) async throws -> FirebaseCredentials
}
