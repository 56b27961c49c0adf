// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// An answer of SAML, as JSON in the place of signed XML.
struct SAMLAnswer {
    let nameID: String
    let attributes: JSONValue?

    /// The address of the user, where that is their id.
    var email: String? { AccountRules.isEmail(nameID) ? nameID : nil }

    /// Returns `nil` without an answer.
    init?(_ text: String?) throws(AuthFailure) {
        guard let text, !text.isEmpty else { return nil }
        guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
            throw .bad("INVALID_IDP_RESPONSE ((SAMLResponse is not strict JSON.))")
        }
        guard let assertion = json["assertion"] else {
            throw .bad("INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))")
        }
        guard let subject = assertion["subject"] else {
            throw .bad("INVALID_IDP_RESPONSE ((Missing assertion.subject in SAMLResponse.))")
        }
        guard let nameID = subject["nameId"]?.string, !nameID.isEmpty else {
            throw .bad("INVALID_IDP_RESPONSE ((Missing assertion.subject.nameId in SAMLResponse.))")
        }
        self.nameID = nameID
        attributes = assertion["attributeStatements"]
    }
}
