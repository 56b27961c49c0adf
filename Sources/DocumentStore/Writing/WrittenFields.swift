// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The fields that a write sets.
package enum WrittenFields: Sendable {
    case values([String: Value])
    /// As they will be stored, within the limits of a write: most commits need not look at them while others wait.
    case plain(PlainFields)

    /// All fields, decoded each time if need be.
    package var values: [String: Value] {
        get throws {
            switch self {
            case .values(let values): values
            case .plain(let fields): try fields.encoded.decoded()
            }
        }
    }
}

extension WrittenFields: Equatable {
    /// Compares what the fields are, not how they are kept.
    package static func == (lhs: WrittenFields, rhs: WrittenFields) -> Bool {
        (try? lhs.values) == (try? rhs.values)
    }
}
