// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON

/// The policy of a signed form: its end, and the rules of its fields and its file.
///
/// Source: https://cloud.google.com/storage/docs/authentication/signatures#policy-document (2026-11).
struct PostPolicy: Equatable {
    /// The longest policy, in bytes of JSON.
    static let byteCountMax = 20 << 10
    /// The most conditions.
    static let conditionCountMax = 200

    /// The rules of a field or the file; the names of fields are in lower case.
    enum Condition: Equatable {
        case equals(field: String, String)
        case startsWith(field: String, String)
        case byteCount(ClosedRange<Int64>)
    }

    /// Why a policy cannot be read, or does not allow a form.
    enum Failure: Error, Equatable {
        case notBase64
        case tooLong
        case notJSON
        case noExpiration
        case noConditions
        case conditionUnknown(Int)
        case expired
        case unmet(field: String)
        case unreferenced([String])
    }

    /// The second after which the policy is void, since the Unix epoch.
    let expiration: Int64
    let conditions: [Condition]

    /// Reads the field `policy` of a form.
    static func decode(base64 text: String) throws(Failure) -> PostPolicy {
        guard let json = Data(base64Encoded: text) else { throw .notBase64 }
        return try PostPolicy(json: Array(json))
    }

    /// Reads a policy.
    init(json: [UInt8]) throws(Failure) {
        guard json.count <= Self.byteCountMax else { throw .tooLong }
        guard let policy = try? JSONValue(parsing: json), case .object = policy else { throw .notJSON }
        guard let expiration = policy["expiration"]?.string.flatMap(RFC3339.microseconds) else {
            throw .noExpiration
        }
        guard let list = policy["conditions"]?.array, list.count <= Self.conditionCountMax else {
            throw .noConditions
        }
        var conditions: [Condition] = []
        for (index, value) in list.enumerated() {
            guard let condition = Self.conditions(value) else { throw .conditionUnknown(index) }
            conditions += condition
        }
        self.expiration = expiration / 1_000_000
        self.conditions = conditions
    }

    private static func conditions(_ value: JSONValue) -> [Condition]? {
        if case .object(let members) = value {
            let conditions = members.compactMap { name, value in
                // Some clients do not put a status in quotes.
                value.asText.map { Condition.equals(field: name.lowercased(), $0) }
            }
            return conditions.count == members.count ? conditions : nil
        }
        guard let parts = value.array, parts.count == 3, let operation = parts[0].string else { return nil }
        switch operation.lowercased() {
        case "eq": return condition(parts).map { [.equals(field: $0, $1)] }
        case "starts-with": return condition(parts).map { [.startsWith(field: $0, $1)] }
        case "content-length-range":
            guard let least = integer(parts[1]), let most = integer(parts[2]), 0 <= least, least <= most else {
                return nil
            }
            return [.byteCount(least...most)]
        default: return nil
        }
    }

    private static func condition(_ parts: [JSONValue]) -> (field: String, value: String)? {
        guard let field = parts[1].string, field.hasPrefix("$"), let value = parts[2].asText else { return nil }
        return (field.dropFirst().lowercased(), value)
    }

    /// A number, which some clients write as a string.
    private static func integer(_ value: JSONValue) -> Int64? {
        value.asText.flatMap { Int64($0) }
    }
}
