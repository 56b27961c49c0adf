// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
package import Wire

/// The services' own APIs behind the console's port, for its page: what is asked for here is not metered.
///
/// Files are strangers' data, and here they come from the page's own origin: no browser may show one as a page.
package struct DataMounts: Sendable {
    /// A service below a path.
    package struct Mount: Sendable {
        let name: String
        let service: any WireService
        let prefixes: [String]

        /// Creates a mount.
        ///
        /// - Parameters:
        ///   - name: The first part of its paths, behind `/console/`.
        ///   - service: Answers; by an instance that no quota holds up.
        ///   - prefixes: The beginnings of the paths that are passed on.
        package init(_ name: String, _ service: any WireService, prefixes: [String]) {
            (self.name, self.service, self.prefixes) = (name, service, prefixes)
        }
    }

    private let mounts: [Mount]

    /// Creates mounts.
    package init(_ mounts: [Mount]) { self.mounts = mounts }

    /// The largest body that one of them takes, in bytes.
    var bodyByteCountMax: Int64 { mounts.map(\.service.bodyByteCountMax).max() ?? 0 }

    /// Passes a request on to the service that its path names.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: Its path and query, behind `/console/`.
    ///   - exchange: The exchange.
    /// - Returns: The service's answer; `nil` where the path names none.
    func answer(_ request: Request, at path: Substring, _ exchange: Exchange) async -> Response? {
        guard let mount = mounts.first(where: { path.hasPrefix($0.name + "/") }) else { return nil }
        let rest = path.dropFirst(mount.name.count)
        guard mount.prefixes.contains(where: rest.hasPrefix) else { return nil }
        guard request.isReadByScript else { return ConsoleFailure.notForShowing.response }
        var head = request.head
        head.path = String(rest)
        let passed = Request(head: head, body: request.body)
        var response = await mount.service.respond(to: passed, exchange: exchange)
        response.headers.setShownNowhere()
        return response
    }
}

extension Request {
    /// Whether a program or a script of the page takes the answer, not a browser as a script, a frame or a page.
    fileprivate var isReadByScript: Bool {
        HTTPField.Name("Sec-Fetch-Dest").flatMap { headers[$0] } ?? "empty" == "empty"
    }
}

extension ConsoleFailure {
    fileprivate static let notForShowing = Self(
        status: 403,
        message:
            "Forbidden: data are read by scripts of the console here; a browser shows them at the service's own port."
    )
}

extension HTTPFields {
    /// Lets no browser show the answer as a page, nor run anything of it.
    fileprivate mutating func setShownNowhere() {
        self[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        self[.xContentTypeOptions] = "nosniff"
        self[.contentDisposition] = "attachment"
        // Of no use but to the page, which has the same origin.
        for name in [HTTPField.Name.accessControlAllowOrigin, .setCookie] { self[name] = nil }
    }
}
