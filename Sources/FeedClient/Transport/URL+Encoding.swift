// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension URL {
    /// Appends a path and query that are percent-encoded already, which `appendingPathComponent` would change.
    func appending(encoded pathAndQuery: String) -> URL {
        var text = absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        guard let url = URL(string: text + pathAndQuery) else {
            preconditionFailure("a URL with an encoded path must be a URL (base is \(absoluteString))")
        }
        return url
    }
}

extension String {
    /// Percent-encodes all but letters, digits and `-_.!~*'()`, as the Firebase SDKs do (`encodeURIComponent`).
    var percentEncoded: String { percentEncoded(sparingSlashes: false) }

    /// Encodes all but slashes.
    var percentEncodedPath: String { percentEncoded(sparingSlashes: true) }

    private func percentEncoded(sparingSlashes: Bool) -> String {
        func isSpared(_ byte: UInt8) -> Bool { byte.isUnescapedInURL || sparingSlashes && byte == UInt8(ascii: "/") }
        if utf8.allSatisfy(isSpared) { return self }
        var result: [UInt8] = []
        for byte in utf8 {
            if isSpared(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    fileprivate var isUnescapedInURL: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "'")...UInt8(ascii: "*"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
