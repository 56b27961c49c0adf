// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The members that a change is about, as `updateMask` names them.
struct FieldMask {
    private let paths: [[String]]

    /// Returns `nil` for a mask that names nothing, which means a change of everything.
    init?(_ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        paths = text.split(separator: ",").map { path in
            path.split(separator: ".").map { $0.trimmingSpaces }
        }
    }

    /// Copies the members that are named and there into a value.
    func copy(from update: JSONValue, into value: JSONValue) -> JSONValue {
        paths.reduce(value) { Self.copy($1[...], from: update, into: $0) }
    }

    private static func copy(
        _ path: ArraySlice<String>,
        from update: JSONValue,
        into value: JSONValue
    ) -> JSONValue {
        guard let name = path.first, let part = update[name], part != .null, case .object(var members) = value else {
            return value
        }
        let rest = path.dropFirst()
        if rest.isEmpty {
            members[name] = part
        } else if case .object = part {
            members[name] = copy(rest, from: part, into: members[name] ?? .object([:]))
        }
        return .object(members)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
