// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The names and addresses by which callers can mean a server.
///
/// The owner of a domain can bind any name in it to 127.0.0.1 once a browser has loaded a page under it, which the browser
/// then takes for a page of the server (DNS rebinding). The names here cannot be registered: those without a dot have no
/// addresses on the Internet (ICANN's resolution of 2013-08-13 on dotless domains). An address is not looked up at all.
///
/// |server listens on|known|
/// |---|---|
/// |any address or name|that one; `localhost`, `*.localhost`, 127.0.0.0/8 and ::1; `host.docker.internal`, the host as seen from a container; names without a dot, as services of one Compose file call each other|
/// |anything but loopback|as well every address, and the machine's own name|
///
/// Ports are not compared: a forwarded one differs.
struct KnownHosts: Sendable {
    private let own: Set<String>
    private let isOpenToOthers: Bool

    init(listeningOn host: String, machine: String? = Self.machineName) {
        let host = host.lowercased()
        isOpenToOthers = !Self.isLoopback(host)
        own = Set([host, "host.docker.internal"] + (isOpenToOthers ? [machine?.lowercased()].compactMap(\.self) : []))
    }

    /// Whether an authority, `name:port`, names the server.
    func contains(_ authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        if own.contains(host) || Self.isLoopback(host) { return true }
        return Self.isAddress(host) ? isOpenToOthers : !host.contains(".")
    }

    /// The host of an authority in lower case, without brackets, port, and the dot after a full name.
    static func host(of authority: String) -> String? {
        let text = authority.lowercased()
        let host: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            guard address(of: String(host), family: AF_INET6, byteCount: 16) != nil else { return nil }
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            let name = text[..<end]
            host = name.hasSuffix(".") ? name.dropLast() : name
            rest = text[end...]
        }
        guard !host.isEmpty, rest.isEmpty || rest.first == ":", rest.dropFirst().utf8.allSatisfy(isDigit) else {
            return nil
        }
        return String(host)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLoopback(_ host: String) -> Bool {
        // RFC 6761, section 6.3: all names under it are loopback addresses.
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        if let bytes = address(of: host, family: AF_INET, byteCount: 4) { return bytes[0] == 127 }
        guard let bytes = address(of: host, family: AF_INET6, byteCount: 16) else { return false }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127]
        return bytes == [UInt8](repeating: 0, count: 15) + [1] || bytes.starts(with: mapped)
    }

    private static func isAddress(_ host: String) -> Bool {
        address(of: host, family: AF_INET, byteCount: 4) != nil
            || address(of: host, family: AF_INET6, byteCount: 16) != nil
    }

    /// The bytes of an address in its usual notation; `nil` for a name.
    private static func address(of text: String, family: CInt, byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return !text.utf8.contains(0) && inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    private static var machineName: String? {
        // POSIX: at most 255 bytes and the NUL.
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
