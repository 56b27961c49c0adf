// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

/// A secret of this start of the emulator, which pages of other origins cannot read, and so cannot send.
struct PageToken: Sendable {
    private static let name = "X-Firemeter-Token"

    let text: String

    init() {
        var random = SystemRandomNumberGenerator()
        text = (0..<2).map { _ in
            let word = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    /// Whether a request changes nothing, or has the secret.
    func admits(_ request: Request) -> Bool {
        if request.method == .get || request.method == .head { return true }
        return HTTPField.Name(Self.name).flatMap { request.headers[$0] } == text
    }
}
