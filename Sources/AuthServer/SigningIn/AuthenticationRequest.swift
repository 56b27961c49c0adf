// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Basics
import Foundation
import JSON
import Wire

/// The address of an identity provider to which an app sends its user, with the request in it.
struct AuthenticationRequest {
    /// The provider's configuration.
    let config: JSONValue
    let continueURI: String
    /// The id of the session, whose SHA-256 is the nonce of a token.
    let session: String
    /// The text that the provider returns with the user.
    let state: String

    // MARK: OpenID Connect

    /// The address for OpenID Connect, in production's form (recorded against production, September 2026).
    ///
    /// Production asks the issuer for its endpoint; here it is Google's own, or `authorize` below the issuer.
    var openIDAddress: String {
        let issuer = config["issuer"]?.string ?? ""
        let endpoint =
            issuer == "https://accounts.google.com"
            ? "https://accounts.google.com/o/oauth2/v2/auth" : issuer + (issuer.hasSuffix("/") ? "" : "/") + "authorize"
        let isCode = config["responseType"]?["code"]?.boolean == true
        let parameters = [
            "response_type=\(isCode ? "code" : "id_token")",
            "client_id=\(PercentCoding.encode(config["clientId"]?.string ?? ""))", "redirect_uri=\(redirectURI)",
            "state=\(PercentCoding.encode(state))", "scope=openid+email+profile",
            "nonce=\(SHA256.hexadecimal(of: session))",
        ]
        return endpoint + "?" + parameters.joined(separator: "&")
    }

    /// The address to return to, with its colons and slashes as they are.
    private var redirectURI: String {
        PercentCoding.encode(continueURI).replacing("%3A", with: ":").replacing("%2F", with: "/")
    }

    // MARK: SAML

    /// The address for SAML (saml-bindings-2.0-os section 3.4.4), in production's form (recorded against production, September 2026).
    ///
    /// - Parameters:
    ///   - id: The id of the request, in hexadecimal.
    ///   - milliseconds: The time of the request.
    /// - Returns: The address; `nil` where there is no memory to compress the request.
    func samlAddress(id: String, at milliseconds: Int64) -> String? {
        guard let request = Self.deflated(samlRequest(id: id, at: milliseconds)) else { return nil }
        let url = config["idpConfig"]?["ssoUrl"]?.string ?? ""
        return url + (url.contains("?") ? "&" : "?")
            + "SAMLRequest=\(PercentCoding.encode(request.base64EncodedString()))&RelayState=\(PercentCoding.encode(state))"
    }

    private func samlRequest(id: String, at milliseconds: Int64) -> String {
        let attributes = [
            ("xmlns:saml2p", "urn:oasis:names:tc:SAML:2.0:protocol"), ("AssertionConsumerServiceURL", continueURI),
            ("Destination", config["idpConfig"]?["ssoUrl"]?.string ?? ""), ("ID", "_\(id)"),
            ("IssueInstant", AccountTime.text(milliseconds: milliseconds)),
            ("ProtocolBinding", "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"), ("Version", "2.0"),
        ]
        let issuer = Markup.escape(config["spConfig"]?["spEntityId"]?.string ?? "")
        return #"<?xml version="1.0" encoding="UTF-8"?><saml2p:AuthnRequest"#
            + attributes.map { #" \#($0.0)="\#(Markup.escape($0.1))""# }.joined()
            + #"><saml2:Issuer xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion">\#(issuer)</saml2:Issuer>"#
            + "</saml2p:AuthnRequest>"
    }

    private static func deflated(_ text: String) -> Data? {
        guard let deflater = Deflater(.zlib) else { return nil }
        let input = Array(text.utf8)
        var output = [UInt8](repeating: 0, count: deflater.byteCountMax(of: input.count))
        let count = input.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { deflater.compress(input, into: $0) }
        }
        // Without zlib's header and checksum (RFC 1950 section 2.2): SAML takes the compressed bytes alone.
        return count.map { Data(output[2..<$0 - 4]) }
    }
}
