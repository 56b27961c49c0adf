// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

/// The signature of a form, which is one of its policy as the form carries it.
///
/// Source: https://cloud.google.com/storage/docs/xml-api/post-object-forms (2026-11).
enum SignedForm {
    /// Throws unless the signature is good, or cannot be judged without a key.
    static func judge(_ fields: FormFields, keys: SigningKeys) throws(XMLFailure) {
        guard let text = fields["x-goog-signature"] else {
            // Anybody may post to a bucket that is open, with a policy or without; not where signatures are judged.
            guard keys.isEmpty else { throw .signatureDoesNotMatch }
            return
        }
        guard let algorithm = fields["x-goog-algorithm"].flatMap(SigningAlgorithm.init),
            let credential = fields["x-goog-credential"].flatMap(SigningCredential.init),
            let date = fields["x-goog-date"], UTCTime.seconds(basic: date) != nil, date.hasPrefix("\(credential.day)T"),
            let signature = Hexadecimal.decode(text), !signature.isEmpty
        else {
            throw .invalidArgument(
                "A signed form needs x-goog-algorithm, x-goog-credential, x-goog-date and x-goog-signature."
            )
        }
        guard !keys.isEmpty else { return }
        guard keys.verify(signature, of: fields["policy"] ?? "", by: credential, algorithm: algorithm) == true else {
            throw .signatureDoesNotMatch
        }
    }
}
