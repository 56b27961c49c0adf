// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOHPACK

/// The answer on a stream.
struct Answer {
    var headers: [HPACKHeaders] = []
    var body: [UInt8] = []
    var hasEnded = false
    var resetCode: UInt32?

    var isOver: Bool { hasEnded || resetCode != nil }

    /// The first value of a field, of the head or the trailers.
    subscript(name: String) -> String? {
        headers.lazy.compactMap { $0.first(name: name) }.first
    }

    /// The code of `grpc-status`.
    var status: Int? { self["grpc-status"].flatMap(Int.init) }

    /// The whole messages so far.
    var messages: [(isCompressed: Bool, bytes: [UInt8])] {
        var messages: [(Bool, [UInt8])] = []
        var rest = body[...]
        while rest.count >= 5 {
            let length = Int(UInt32(bigEndianBytes: rest.dropFirst().prefix(4)))
            guard rest.count >= 5 + length else { break }
            messages.append((rest.first == 1, Array(rest.dropFirst(5).prefix(length))))
            rest = rest.dropFirst(5 + length)
        }
        return messages
    }

    var texts: [String] { messages.map { String(decoding: $0.bytes, as: UTF8.self) } }
}

/// Messages as they are on the wire.
enum Message {
    static func framed(_ text: String, isCompressed: Bool = false) -> [UInt8] {
        framed(Array(text.utf8), isCompressed: isCompressed)
    }

    static func framed(_ bytes: [UInt8], isCompressed: Bool = false) -> [UInt8] {
        [isCompressed ? 1 : 0] + UInt32(bytes.count).bigEndianBytes + bytes
    }
}
