// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

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
