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

    /// Copies the members that are named into a message; those that are not there are cleared, as in production.
    ///
    /// Members that the message does not have, or that only production sets, stay as they are.
    func copy(from update: JSONValue, into value: JSONValue, by form: MessageForm) -> JSONValue {
        paths.reduce(value) { Self.copy($1[...], from: update, into: $0, by: .message(form)) }
    }

    private static func copy(
        _ path: ArraySlice<String>,
        from update: JSONValue?,
        into value: JSONValue,
        by form: MemberForm
    ) -> JSONValue {
        guard let first = path.first, let (name, member) = form.member(first), case .object(var members) = value else {
            return value
        }
        let (part, rest) = (update?[name], path.dropFirst())
        if rest.isEmpty {
            members[name] = part ?? members[name]?.cleared(by: member)
        } else if part != nil || members[name] != nil {
            members[name] = copy(rest, from: part, into: members[name] ?? .object([:]), by: member)
        }
        for other in form.alternatives(to: name) where members[name] != nil { members[other] = nil }
        return .object(members)
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

extension MemberForm {
    /// A member that a mask may name; `nil` for others.
    fileprivate func member(_ given: String) -> (name: String, form: MemberForm)? {
        switch self {
        case .message(let form):
            let name = form.members[given] == nil ? given.camelCased : given
            guard let member = form.members[name], !member.isReadOnly else { return nil }
            return (name, member)
        case .map(let element): return (given, element)
        case .phones: return (given, .text)
        case .anything: return (given, .anything)
        default: return nil
        }
    }

    /// The members that cannot be there beside another one.
    fileprivate func alternatives(to name: String) -> Set<String> {
        guard case .message(let form) = self, let names = form.oneOf?.members, names.contains(name) else { return [] }
        return names.subtracting([name])
    }

    private var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
}

extension JSONValue {
    /// The rest of a member that a mask clears.
    fileprivate func cleared(by form: MemberForm) -> JSONValue? {
        guard case .message(let form) = form, !form.lasting.isEmpty, case .object(let members) = self else {
            return nil
        }
        return .object(members.filter { form.lasting.contains($0.key) })
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
