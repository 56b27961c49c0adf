// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CPageFiles
import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import Wire

/// The pages by which users sign in with a provider: the handler, which pop-ups and redirects open, and the frame through
/// which the Web SDK hears of it.
///
/// They load nothing from elsewhere, and put names in as texts. Routes, header fields and messages: docs/auth-pages.md.
enum SignInPages {
    private static let prefix = "/emulator/auth/"

    private static let files = sign_in_page_files().byName

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'"

    /// Answers a request for one of the pages, or for a file of theirs; `nil` for another path.
    static func answer(to path: Substring, query: (String) -> String?) -> Response? {
        guard path.hasPrefix(prefix) else { return nil }
        switch path.dropFirst(prefix.count) {
        case "handler":
            guard let key = query("apiKey"), let provider = query("providerId"), !key.isEmpty, !provider.isEmpty else {
                return .json(
                    .object([
                        ("authEmulator", .object([("error", "missing apiKey or providerId query parameters")]))
                    ]),
                    status: 400
                )
            }
            let more = "img-src * data:; connect-src 'self' http://localhost:* http://127.0.0.1:*"
            return page("handler", policy: "\(policy); \(more)")
        case "iframe":
            var response = page("iframe", policy: policy)
            response.headers.set("Cross-Origin-Embedder-Policy", "require-corp")
            return response
        case "relay":
            let more = "img-src data:; frame-src http://localhost:* http://127.0.0.1:*"
            return page("relay", policy: "\(policy); \(more)")
        case let name: return file(String(name))
        }
    }

    private static func page(_ name: String, policy: String) -> Response {
        var response = answer(files["\(name).html"] ?? [], contentType: "text/html; charset=utf-8")
        response.headers[.contentSecurityPolicy] = policy
        return response
    }

    private static func file(_ name: String) -> Response? {
        guard let bytes = files[name], !name.hasSuffix(".html") else { return nil }
        let type = name.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
        return answer(bytes, contentType: type)
    }

    private static func answer(_ bytes: [UInt8], contentType: String) -> Response {
        var fields: HTTPFields = [
            .contentType: contentType, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
        ]
        fields.set("Referrer-Policy", "no-referrer")
        // No X-Frame-Options, and no frame-ancestors: apps in files and extensions embed the frame, too.
        fields.set("Cross-Origin-Resource-Policy", "cross-origin")
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
