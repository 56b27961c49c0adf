// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A user of an app.
///
/// A value that is `nil` was never set, which answers distinguish from false and from empty.
package struct Account: Sendable, Equatable {
    /// The user id.
    package let localID: String
    package var tenantID: String?
    /// In lower case.
    package var email: String?
    package var isEmailVerified: Bool?
    /// The address before the first change of it.
    package var initialEmail: String?
    package var displayName: String?
    package var photoURL: String?
    package var phoneNumber: String?
    package var screenName: String?
    package var isDisabled: Bool?
    package var password = StoredPassword()
    /// Whether the user may sign in by links that are sent by e-mail.
    package var usesEmailLink: Bool?
    package var usesCustomToken: Bool?
    /// Custom claims: the JSON of an object.
    package var customAttributes: String?
    package var providers: [LinkedProvider]?
    package var secondFactors: [SecondFactor]?
    package var passkeys: [Passkey]?
    /// Seconds since the Unix epoch: tokens that were issued before are refused.
    package var validSince: Int64?
    /// Milliseconds since the Unix epoch.
    package var createdAt: Int64?
    /// Milliseconds since the Unix epoch.
    package var lastLoginAt: Int64?
    /// Milliseconds since the Unix epoch.
    package var lastRefreshAt: Int64?
    package var lastActiveMonths = ActiveMonths()

    /// Creates an account of which only the id is known.
    package init(localID: String) { self.localID = localID }
}

/// The last months in which a user has signed in, which are billed by the tier of the provider.
///
/// Months are counted since the year 0.
package struct ActiveMonths: Sendable, Equatable {
    package var tier1: Int64?
    package var tier2: Int64?

    /// Creates months of a user who has never signed in.
    package init(tier1: Int64? = nil, tier2: Int64? = nil) { (self.tier1, self.tier2) = (tier1, tier2) }
}

/// A password as it is kept.
package struct StoredPassword: Sendable, Equatable {
    /// As it was imported, or in the form of the official emulator.
    package var hash: String?
    package var salt: String?
    /// Milliseconds since the Unix epoch.
    package var updatedAt: Int64?
    /// How the hash was made; `nil` for the form of the official emulator.
    package var hashing: PasswordHashing?

    /// Creates no password.
    package init() {}
}

/// A second factor by which a user signs in.
package struct SecondFactor: Sendable, Equatable {
    package let id: String
    package var displayName: String?
    /// RFC 3339.
    package var enrolledAt: String?
    package var phoneNumber: String?
    /// The shared secret of an authenticator app, in base 32.
    package var sharedSecret: String?
    /// The interval of the last code that an authenticator app has shown: neither it nor an older one is taken again.
    package var lastInterval: Int64?
    /// Whether answers have the number a second time, as the official emulator's.
    package var repeatsNumber = true

    /// Creates a factor that is a phone, or an authenticator app.
    package init(
        id: String,
        displayName: String? = nil,
        enrolledAt: String? = nil,
        phoneNumber: String? = nil,
        sharedSecret: String? = nil
    ) {
        (self.id, self.displayName, self.enrolledAt) = (id, displayName, enrolledAt)
        (self.phoneNumber, self.sharedSecret) = (phoneNumber, sharedSecret)
    }
}

/// A passkey by which a user signs in.
package struct Passkey: Sendable, Equatable {
    package let credentialID: String
    package let name: String?

    /// Creates a passkey.
    package init(credentialID: String, name: String?) {
        (self.credentialID, self.name) = (credentialID, name)
    }
}
