// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Failure {
    /// The official emulator's words (1.19.9, 2026-11); `nil` where it names only the place.
    var text: String? {
        switch self {
        case .unknown, .unproven: nil
        case .undefinedProperty(let name): "Property \(name) is undefined on object."
        case .nullValue: "Null value error."
        case .outOfBounds(let index, let size): "Index out of bound error. Index: [\(index)] , size: [\(size)]."
        case .type(let received, let expected): "Type error. Received: [\(received)] Expected: [\(expected)]."
        case .unsupported(let received, let expected):
            "Unsupported operation error. Received: \(received). Expected: \(expected)."
        case .argumentCount(let received, let expected):
            "Incorrect number of arguments. Received: \(received). Expected: \(expected)."
        case .functionNotFound(let name): "Function not found error: Name: [\(name)]."
        case .conversion(let argument, let from, let to):
            "Type conversion error. Argument: [\(argument)], From type: [\(from)], To type: [\(to)]."
        case .divisionByZero: "Divide by zero error."
        case .missingGroup(let template): "Invalid regular expression pattern. Pattern: \(template)."
        case .expressionLimit:
            "Unable to evaluate the expression as the maximum of \(RulesLimits.expressionCountMax) expressions to evaluate has been reached."
        case .depthLimit: "Unable to evaluate the expression as calls are nested too deeply."
        case .other(let text): text
        case .located(let failure, _): failure.text
        }
    }
}
