// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The kind of a provider, which its id says.
enum ProviderKind {
    case openID
    case saml
    /// One that every project can switch on, such as `google.com`, or `password`.
    case wellKnown

    init(_ provider: String) {
        self = provider.hasPrefix("oidc.") ? .openID : provider.hasPrefix("saml.") ? .saml : .wellKnown
    }

    /// The collection of its configurations.
    var collection: String {
        switch self {
        case .openID: "oauthIdpConfigs"
        case .saml: "inboundSamlConfigs"
        case .wellKnown: "defaultSupportedIdpConfigs"
        }
    }
}
