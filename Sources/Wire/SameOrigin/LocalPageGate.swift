// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Refuses WebSockets to pages of other sites, and lets in those of this machine on any port, such as user interfaces.
///
/// Browsers open a WebSocket to any address for any page, and set two headers that no page can change:
///
/// |header|passes|
/// |---|---|
/// |`Host`|an address or name of this server, see ``KnownHosts``|
/// |`Origin`|a page of the host that `Host` names, or of the loopback interface, on any port; none at all, as programs send it|
///
/// Source: RFC 6455, section 10.2 (browsers always send `Origin`).
struct LocalPageGate: Sendable {
    private static let quotedCharacterCountMax = 100

    private let hosts: KnownHosts
    private let localHosts = KnownHosts(listeningOn: "localhost")

    /// Creates a gate for a server.
    ///
    /// - Parameter host: The address or name that the server was started to listen on.
    init(listeningOn host: String) { hosts = KnownHosts(listeningOn: host) }

    /// Returns why a request is refused; `nil` for one that passes.
    func refusal(host: String?, origin: String?) -> String? {
        if let host, !hosts.contains(host) { return "'\(Self.quoted(host))' is not a name of this server." }
        guard let origin else { return nil }
        guard let host, let authority = Self.authority(of: origin),
            localHosts.contains(authority) || KnownHosts.host(of: authority) == KnownHosts.host(of: host)
        else { return "Pages of '\(Self.quoted(origin))' must not call this server." }
        return nil
    }

    /// The host and the port of a page's origin; `nil` for what is not the origin of a page from a server.
    private static func authority(of origin: String) -> String? {
        let origin = origin.lowercased()
        return ["http://", "https://"].first { origin.hasPrefix($0) }.map { String(origin.dropFirst($0.count)) }
    }

    private static func quoted(_ text: String) -> Substring { text.prefix(quotedCharacterCountMax) }
}
