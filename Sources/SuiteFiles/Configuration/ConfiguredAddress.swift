// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The host and port that `firebase.json` names for an emulator.
package struct ConfiguredAddress: Sendable, Equatable {
    /// The host where `firebase.json` names none: 127.0.0.1, and ::1 where there is one.
    package static let defaultHost = "localhost"

    /// The emulator.
    package let service: SuiteService
    /// The host as it was written; `nil` where it was not.
    package let host: String?
    /// The port, 0 for a free one; `nil` where it was not written.
    package let port: Int?

    /// Whether the start fails when the port is in use, instead of taking the next free one.
    package var isPortFixed: Bool { port != nil || !service.searchesForPort }

    /// The host, or the default.
    package var hostOrDefault: String { host ?? Self.defaultHost }

    /// The port, or the default.
    package var portOrDefault: Int { port ?? service.defaultPort }
}

extension ConfiguredAddress {
    /// The address of an emulator without settings.
    init(defaultOf service: SuiteService) { self.init(service: service, host: nil, port: nil) }

    /// Reads the member of `emulators` with the emulator's name.
    init(_ service: SuiteService, in settings: JSONValue?) throws(SuiteConfigurationError) {
        self.init(
            service: service,
            host: try Self.host(settings?["host"], "emulators.\(service.rawValue).host"),
            port: try Self.port(settings?["port"], "emulators.\(service.rawValue).port")
        )
    }

    private static func host(_ value: JSONValue?, _ name: String) throws(SuiteConfigurationError) -> String? {
        guard let value, value.isTruthy else { return nil }
        guard let host = value.string, !host.utf8.contains(0) else { throw .badMember(name, "must be a host name") }
        return host
    }

    /// Reads a port, as a number or as text.
    ///
    /// Unlike in firebase-tools, 0 picks a free one: there it stands for the default.
    static func port(_ value: JSONValue?, _ name: String) throws(SuiteConfigurationError) -> Int? {
        guard let value, value == .integer(0) || value.isTruthy else { return nil }
        guard let port = number(value), (0...65_535).contains(port) else {
            throw .badMember(name, "must be a port, a number between 0 and 65535")
        }
        return port
    }

    /// Takes the digits that lead a text, as JavaScript's `parseInt` does.
    private static func number(_ value: JSONValue) -> Int? {
        switch value {
        case .integer(let number): Int(exactly: number)
        case .number(let literal): Double(literal).flatMap { Int(exactly: $0.rounded(.towardZero)) }
        case .string(let text): Int(text.drop { $0.isWhitespace }.prefix { $0.isASCII && $0.isNumber })
        default: nil
        }
    }
}

extension JSONValue {
    /// Whether JavaScript takes the value for true.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .integer(let number): number != 0
        case .number(let literal): Double(literal) != 0
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }

    /// A string that is not empty.
    var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// The members of an object; none for other values.
    var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return members
    }
}
