// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

/// The page that a browser is shown at the console's port, and its files, which are in the program.
///
/// It loads nothing from elsewhere, and runs no script but its own files.
struct ConsolePage: Sendable {
    static let prefix = "/console/"

    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src blob:; \
        connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """

    /// The page itself.
    static func page(for request: Request) -> Response {
        var response = answer("index.html", PageModules.index, to: request)
        response.headers[.contentSecurityPolicy] = policy
        response.headers.set("Cross-Origin-Opener-Policy", "same-origin")
        return response
    }

    /// One of its files; `nil` where there is none of that name.
    static func file(named name: Substring, for request: Request) -> Response? {
        PageFiles.all[String(name)].map { answer(name, $0, to: request) }
    }

    private static func answer(_ name: Substring, _ bytes: [UInt8], to request: Request) -> Response {
        var fields: HTTPFields = [
            .contentType: contentType(of: name), .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
            .vary: "Accept-Encoding",
        ]
        fields.set("Referrer-Policy", "no-referrer")
        fields.set("Cross-Origin-Resource-Policy", "same-origin")
        let isGzip = request.headers[.acceptEncoding]?.contains("gzip") == true
        if isGzip { fields[.contentEncoding] = "gzip" }
        let forms = ServedFiles.shared.forms(of: name, bytes)
        return Response(
            status: .ok,
            headers: fields,
            body: ResponseBody(byteBuffer: isGzip ? forms.gzip : forms.plain)
        )
    }

    private static func contentType(of name: Substring) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/javascript; charset=utf-8"
        }
    }
}
