// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// Refuses requests that a page of another site sends through the browser of a developer.
///
/// Browsers set three headers that no page can change:
///
/// |header|passes|
/// |---|---|
/// |`Host`|an address or name of this server, see ``KnownHosts``|
/// |`Origin`|the server's own, with its port; none at all, as programs send it, and browsers only to read|
/// |`Sec-Fetch-Site`|`same-origin` and `none`, no header at all; for a link that opens the answer in a tab, any value|
///
/// Every browser of the last years sends `Origin` with a POST, and `Sec-Fetch-Site` to addresses of the loopback
/// interface, so a request without both comes from a program such as curl. Two ports of one machine are one site but two
/// origins, so `same-site` is refused.
///
/// Sources: https://fetch.spec.whatwg.org/#origin-header; https://www.w3.org/TR/fetch-metadata/, section 2 (2026-11).
package struct SameOriginGate: Sendable {
    private static let quotedCharacterCountMax = 100

    private let hosts: KnownHosts

    /// Creates a gate for a server.
    ///
    /// - Parameter host: The address or name that the server was started to listen on.
    package init(listeningOn host: String) {
        hosts = KnownHosts(listeningOn: host)
    }

    /// Returns why a request is refused; `nil` for one that passes.
    package func refusal(of head: HTTPRequest) -> String? {
        // A request without a host has been refused before; browsers always name one.
        if let authority = head.authority, !hosts.contains(authority) {
            return "'\(Self.quoted(authority))' is not a name of this server; call it by its address,"
                + " or start it with --host and that name."
        }
        if let origin = head.headerFields[.origin], !isOwn(origin, in: head) {
            return "Pages of '\(Self.quoted(origin))' must not call this server."
        }
        if let site = head.headerFields[.secFetchSite], site != "same-origin", site != "none", !opensTab(head) {
            return "A page of another origin sent this request (Sec-Fetch-Site: \(Self.quoted(site)))."
        }
        return nil
    }

    private func isOwn(_ origin: String, in head: HTTPRequest) -> Bool {
        guard let authority = head.authority?.lowercased() else { return false }
        return ["http://\(authority)", "https://\(authority)"].contains(origin.lowercased())
    }

    /// Whether the answer opens in a tab of its own, where the page with the link cannot read it.
    private func opensTab(_ head: HTTPRequest) -> Bool {
        head.method == .get && head.headerFields[.secFetchMode] == "navigate"
            && head.headerFields[.secFetchDest] == "document"
    }

    private static func quoted(_ text: String) -> Substring { text.prefix(quotedCharacterCountMax) }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = Self(token: "Sec-Fetch-Site")
    fileprivate static let secFetchMode = Self(token: "Sec-Fetch-Mode")
    fileprivate static let secFetchDest = Self(token: "Sec-Fetch-Dest")

    private init(token: String) {
        guard let name = Self(token) else { preconditionFailure("\(token) is a token of RFC 9110") }
        self = name
    }
}

/// The directory that a request names for an export.
package enum ExportPath {
    /// Returns why an export cannot be written there; `nil` for a path that can be tried.
    package static func fault(in path: String) -> String? {
        // A client's working directory is not the server's, so `firebase emulators:export` sends an absolute path, too.
        guard path.hasPrefix("/") else { return "The 'path' must be absolute." }
        // The system's calls would take the path to end there, and write elsewhere.
        return path.utf8.contains(0) ? "The 'path' holds a NUL character; remove it." : nil
    }
}
