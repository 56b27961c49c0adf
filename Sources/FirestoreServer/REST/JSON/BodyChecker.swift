// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import JSON

/// Goes through a body that SwiftProtobuf could not read: finds what is wrong, and puts what Google's services read all
/// the same into strict form.
struct BodyChecker {
    private(set) var faults = BodyFaults()

    /// Checks a body that is a message or, in requests whose body is one of their fields, that field.
    mutating func message(_ tree: JSONTree, schema: MessageSchema, at location: String) -> JSONTree {
        guard case .object(let members) = tree else {
            faults.addRootThatIsNoMessage()
            return tree
        }
        return fields(members, schema: schema, at: location)
    }

    private mutating func fields(
        _ members: [JSONTree.Member],
        schema: MessageSchema,
        at location: String
    ) -> JSONTree {
        var strict: [JSONTree.Member] = []
        var choices: Set<String> = []
        for member in members {
            guard let field = schema.field(named: member.name) else {
                faults.addUnknownName(member.name, in: location)
                continue
            }
            // Null leaves a field unset, but for the value that is null.
            if member.value == .null, field.kind != .scalar(.null) { continue }
            if let choice = field.choice, !choices.insert(choice).inserted {
                faults.addSecondChoice(field.jsonName, of: choice, in: location)
                continue
            }
            let place = location.isEmpty ? field.name : "\(location).\(field.name)"
            strict.append(JSONTree.Member(name: field.jsonName, value: value(member.value, of: field, at: place)))
        }
        return .object(strict)
    }

    private mutating func value(_ tree: JSONTree, of field: MessageSchema.Field, at location: String) -> JSONTree {
        switch field.kind {
        case .list(let kind):
            // A single value stands for a list of one.
            let elements = if case .array(let elements) = tree { elements } else { [tree] }
            return .array(
                elements.enumerated().map { single($1, kind: kind, field: field, at: "\(location)[\($0)]") }
            )
        case .map(let kind):
            guard case .object(let members) = tree else {
                faults.addInvalidValue(tree.text, of: "Map", at: location)
                return tree
            }
            return .object(
                members.enumerated().map { index, member in
                    let value = single(member.value, kind: kind, field: field, at: "\(location)[\(index)].value")
                    return JSONTree.Member(name: member.name, value: value)
                }
            )
        default:
            if case .array = tree {
                let reason = "Proto field is not repeating, cannot start list."
                faults.addUnknownName(field.jsonName, in: Self.parent(of: location), because: reason)
                return tree
            }
            return single(tree, kind: field.kind, field: field, at: location)
        }
    }

    private mutating func single(
        _ tree: JSONTree,
        kind: MessageSchema.Kind,
        field: MessageSchema.Field,
        at location: String
    ) -> JSONTree {
        switch (kind, tree) {
        case (.message(let name), .object(let members)):
            return MessageSchema.named(name).map { fields(members, schema: $0, at: location) } ?? tree
        case (.message(let name), _):
            faults.addInvalidValue(tree.text, of: "type.googleapis.com/\(name)", at: location)
            return tree
        case (.wrapped(let scalar), .object(let members)):
            let inner = members.first { $0.name == "value" }?.value ?? .string("0")
            return check(inner, scalar: scalar, field: field, at: "\(location).value")
        case (.wrapped(let scalar), _):
            return check(tree, scalar: scalar, field: field, at: "\(location).value")
        case (.scalar(let scalar), _):
            return check(tree, scalar: scalar, field: field, at: location)
        case (.enumeration(let name, let values), .string(let text)) where !values.contains(Substring(text)):
            faults.addInvalidValue(tree.text, of: "type.googleapis.com/\(name)", at: location)
            return tree
        default:
            return tree
        }
    }

    private mutating func check(
        _ tree: JSONTree,
        scalar: MessageSchema.Scalar,
        field: MessageSchema.Field,
        at location: String
    ) -> JSONTree {
        if let strict = scalar.strict(tree) { return strict }
        faults.addInvalidValue(scalar.complaint(about: tree, in: field.jsonName), of: scalar.typeName, at: location)
        return tree
    }

    private static func parent(of location: String) -> String {
        location.lastIndex(of: ".").map { String(location[..<$0]) } ?? ""
    }
}

/// The problem of a body, in the words of Google's services (recorded from production, 2026-09).
struct BodyFaults {
    /// A refusal lists up to this many faults; our own choice: a body of a few megabytes can have millions.
    private static let violationCountMax = 100

    private(set) var violations: [ErrorDetail.FieldViolation] = []

    /// One refusal for all faults.
    var error: CallError {
        .invalid(violations.map(\.description).joined(separator: "\n"), details: [.badRequest(violations)])
    }

    mutating func addUnknownName(_ name: String, in location: String, because reason: String = "Cannot find field.") {
        let place = location.isEmpty ? "" : " at '\(location)'"
        add("Invalid JSON payload received. Unknown name \"\(name)\"\(place): \(reason)", at: location)
    }

    mutating func addRootThatIsNoMessage() {
        addUnknownName("", in: "", because: "Root element must be a message.")
    }

    /// The type is `TYPE_INT32` and the like, or the URL of a message's or an enumeration's type.
    mutating func addInvalidValue(_ description: String, of type: String, at location: String) {
        add("Invalid value at '\(location)' (\(type)), \(description)", at: location)
    }

    mutating func addSecondChoice(_ jsonName: String, of choice: String, in location: String) {
        add(
            "Invalid value at '\(location)' (oneof), oneof field '\(choice)' is already set. Cannot set '\(jsonName)'",
            at: location
        )
    }

    private mutating func add(_ description: String, at location: String) {
        guard violations.count < Self.violationCountMax else { return }
        violations.append(
            ErrorDetail.FieldViolation(field: MessageText.cut(location), description: MessageText.cut(description))
        )
    }
}
