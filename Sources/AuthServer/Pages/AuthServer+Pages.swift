// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSON
import Wire

extension AuthServer {
    /// Answers a request for a page; `nil` for other requests.
    func page(at target: RequestTarget, _ request: Request) throws -> Response? {
        switch target.path {
        case "/": return .json(.object([("authEmulator", .object([("ready", true), ("docs", .string(Self.docs))]))]))
        case "/emulator/action":
            return try ActionPage(context: context, target: target, origin: origin(of: request)).answer()
        default: return SignInPages.answer(to: target.path) { target[$0] }
        }
    }

    private static let docs = "https://firebase.google.com/docs/emulator-suite"
}
