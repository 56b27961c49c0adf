// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Writes the few messages of error details: strings and messages of strings (protobuf.dev, "Encoding").
struct DetailEncoder {
    private(set) var bytes: [UInt8] = []

    /// Appends a field with a length; an empty string is left out, as its field is then unset.
    mutating func append(_ text: String, _ number: UInt8) {
        if !text.isEmpty { append(Array(text.utf8), number) }
    }

    /// Appends a message.
    mutating func append(_ number: UInt8, _ content: (inout DetailEncoder) -> Void) {
        var inner = DetailEncoder()
        content(&inner)
        append(inner.bytes, number)
    }

    private mutating func append(_ content: [UInt8], _ number: UInt8) {
        let lengthDelimited: UInt8 = 2
        bytes.append(number << 3 | lengthDelimited)
        var length = content.count
        while length >= 0x80 {
            bytes.append(UInt8(length & 0x7F | 0x80))
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes += content
    }
}

extension ErrorDetail {
    /// The message's bytes, as `google.protobuf.Any` holds them.
    var protobuf: [UInt8] {
        var encoder = DetailEncoder()
        switch self {
        case .info(let reason, let metadata):
            encoder.append(reason, 1)
            encoder.append(Self.domain, 2)
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                encoder.append(3) { entry in
                    entry.append(key, 1)
                    entry.append(value, 2)
                }
            }
        case .badRequest(let violations):
            for violation in violations {
                encoder.append(1) { message in
                    message.append(violation.field, 1)
                    message.append(violation.description, 2)
                }
            }
        case .help(let links):
            for link in links {
                encoder.append(1) { message in
                    message.append(link.description, 1)
                    message.append(link.url, 2)
                }
            }
        }
        return encoder.bytes
    }
}
