// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// A value of the language, or the failure to have one: `true || failure` is true.
package enum RulesValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case float(Double)
    case string(String)
    case bytes([UInt8])
    case timestamp(Timestamp)
    case duration(RulesDuration)
    case latLng(GeoPoint)
    case path(RulesPath)
    case list([RulesValue])
    case map(RulesMap)
    case set(RulesSet)
    case mapDiff(MapDiff)
    case vector([Double])
    case constraint(Constraint)
    indirect case failure(Failure)

    /// The type's name, as failures have it.
    var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "bool"
        case .integer: "int"
        case .float: "float"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .latLng: "latlng"
        case .path: "path"
        case .list: "list"
        case .map: "map"
        case .set: "set"
        case .mapDiff: "map_diff"
        case .vector: "vector"
        case .constraint: "constraint"
        case .failure: "error"
        }
    }

    var isFailure: Bool {
        if case .failure = self { return true }
        return false
    }
}

/// The reason for which an expression has no value.
package enum Failure: Error {
    /// It depends on documents that have not been read yet.
    case unknown
    /// A query's filters do not say it.
    case unproven
    case undefinedProperty(String)
    case nullValue
    case outOfBounds(index: String, size: Int)
    case type(received: String, expected: String)
    case unsupported(received: String, expected: String)
    case argumentCount(received: Int, expected: String)
    case functionNotFound(String)
    case conversion(argument: String, from: String, to: String)
    case divisionByZero
    /// A replacement names a group that its pattern has not; here the official evaluator fails altogether.
    case missingGroup(String)
    /// The request has evaluated as many expressions as it may.
    case expressionLimit
    /// Expressions are within one another more deeply than a stack has room for.
    case depthLimit
    case other(String)
    /// A failure, and the token where it arose.
    indirect case located(Failure, SourceRange)
}
