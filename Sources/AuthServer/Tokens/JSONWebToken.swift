// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import JSON

/// A JSON Web Token, taken apart; its signature is not looked at.
struct JSONWebToken {
    let algorithm: String?
    /// Whether there is something in the place of the signature.
    let isSigned: Bool
    let payload: JSONValue

    /// Returns `nil` for anything that is not a token.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let payload = Self.object(parts[1]) else {
            return nil
        }
        algorithm = header["alg"]?.string
        isSigned = !parts[2].isEmpty
        self.payload = payload
    }

    private static func object(_ part: Substring) -> JSONValue? {
        guard let bytes = Data(webSafeBase64: part), let value = try? JSONValue(parsing: Array(bytes)),
            case .object = value
        else { return nil }
        return value
    }

    /// Makes a token without a signature, which emulators and SDKs that talk to them take.
    static func unsigned(_ payload: JSONText, isTyped: Bool = true) -> String {
        "\(isTyped ? header : bareHeader).\(Data(payload.rendered(isIndented: false).utf8).webSafeBase64)."
    }

    private static let header = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).webSafeBase64
    private static let bareHeader = Data(#"{"alg":"none"}"#.utf8).webSafeBase64
}

extension JSONText {
    /// A value that was read.
    init(_ value: JSONValue) { self = .verbatim(String(decoding: value.encoded, as: UTF8.self)) }
}
