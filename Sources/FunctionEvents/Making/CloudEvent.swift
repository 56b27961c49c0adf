// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// An event in the form of CloudEvents 1.0, in HTTP's binary mode.
///
/// Its attributes are header fields, and its data is the body.
///
/// Source: cloudevents.io, HTTP Protocol Binding 1.0.2, section 3.1.
struct CloudEvent: Sendable {
    let id: String
    let type: String
    let source: String
    let subject: String
    /// In RFC 3339.
    let time: String
    let contentType: String
    /// The attributes besides those of CloudEvents itself, in their order.
    let attributes: [(name: String, value: String)]

    /// The header fields, with the content type.
    var headers: [(name: String, value: String)] {
        let attributes =
            [
                ("specversion", "1.0"), ("id", id), ("type", type), ("source", source), ("subject", subject),
                ("time", time), ("datacontenttype", contentType),
            ] + self.attributes
        return [("Content-Type", contentType)] + attributes.map { ("ce-\($0.0)", Self.headerText($0.1)) }
    }

    /// A value as a header field has it: control characters are percent-coded, all else is sent as it is.
    ///
    /// CloudEvents asks for more to be coded (section 3.1.3.2), but production sends names as they are, in UTF-8, and
    /// neither firebase-functions nor the Functions Framework decodes them
    /// (github.com/firebase/firebase-functions/issues/1459, 2026-07).
    static func headerText(_ text: String) -> String {
        guard text.utf8.contains(where: isControl) else { return text }
        var coded = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII, isControl(UInt8(truncatingIfNeeded: scalar.value)) {
                coded += (scalar.value < 0x10 ? "%0" : "%") + String(scalar.value, radix: 16, uppercase: true)
            } else {
                coded.unicodeScalars.append(scalar)
            }
        }
        return coded
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
