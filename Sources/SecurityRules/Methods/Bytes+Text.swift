// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension [UInt8] {
    /// Base64 with the alphabet of URLs, padded.
    var base64URL: String {
        Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Upper-case hexadecimal.
    var hexadecimal: String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
