// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// Takes and shows the Security Rules of projects, at `/emulator/v1/projects/{project}:securityRules` as the official emulator
/// does (1.19.9, 2026-11).
package protocol RulesEndpoint: Sendable {
    /// Puts rules in force; a refusal leaves the former in force.
    func put(_ body: JSONValue, project: String) -> RulesAnswer
    /// The source of the rules in force.
    func source(project: String) -> RulesAnswer
}

/// The answer of a ``RulesEndpoint``.
package struct RulesAnswer: Sendable {
    let status: Int
    let body: JSONValue

    /// Creates an answer.
    package init(status: Int = 200, _ body: JSONValue) { (self.status, self.body) = (status, body) }
}

extension RulesEndpoint {
    /// The answer to a request; `nil` for one that is for others.
    func answer(method: String, path: String, body: [UInt8]) -> RulesAnswer? {
        guard let project = Self.project(of: path) else { return nil }
        switch method {
        case "GET": return source(project: project)
        case "PUT":
            guard let json = try? JSONValue(parsing: body) else {
                return .refused("Invalid JSON payload received.")
            }
            return put(json, project: project)
        default: return nil
        }
    }

    private static func project(of path: String) -> String? {
        guard path.hasPrefix("/emulator/v1/projects/"), path.hasSuffix(":securityRules") else { return nil }
        let project = path.dropFirst("/emulator/v1/projects/".count).dropLast(":securityRules".count)
        return project.isEmpty || project.contains("/") ? nil : String(project)
    }
}

extension RulesAnswer {
    /// A refusal in the form of Google's services.
    package static func refused(_ message: String) -> RulesAnswer {
        let error: [String: JSONValue] = [
            "code": .integer(400), "message": .string(message), "status": .string("INVALID_ARGUMENT"),
        ]
        return RulesAnswer(status: 400, .object(["error": .object(error)]))
    }
}
