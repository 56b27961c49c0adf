// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A user that was created or deleted, as functions see it.
///
/// A value that is `nil` is left out.
package struct EventUser: Sendable {
    let uid: String
    package var email: String?
    package var isEmailVerified: Bool?
    package var displayName: String?
    package var photoURL: String?
    package var phoneNumber: String?
    package var isDisabled: Bool?
    /// Milliseconds since the Unix epoch.
    package var createdAt: Int64?
    /// Milliseconds since the Unix epoch.
    package var lastLoginAt: Int64?
    /// The JSON of an object.
    package var customClaims: String?
    package var providers: [EventProvider]?
    package var tenantID: String?
    /// The second factors, as the answers of Identity Toolkit have them.
    package var secondFactors: JSONText?

    /// Creates a user of which only the id is known.
    package init(uid: String) { self.uid = uid }
}

/// An identity by which a user signs in.
package struct EventProvider: Sendable {
    let providerID: String
    let rawID: String
    package var federatedID: String?
    package var email: String?
    package var displayName: String?
    package var photoURL: String?
    package var phoneNumber: String?
    package var screenName: String?

    /// Creates an identity.
    package init(providerID: String, rawID: String) {
        (self.providerID, self.rawID) = (providerID, rawID)
    }
}
