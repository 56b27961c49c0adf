// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// Takes and shows the Security Rules of projects, at `/emulator/v1/projects/{project}:securityRules`, and reports the
/// values of their expressions, at `:ruleCoverage`, as the official emulator does (1.19.9, 2026-11).
package protocol RulesEndpoint: Sendable {
    /// Puts rules in force; a refusal leaves the former in force.
    func put(_ body: JSONValue, project: String) -> RulesAnswer
    /// The source of the rules in force.
    func source(project: String) -> RulesAnswer
    /// The rules in force with the values that their expressions had.
    func coverage(project: String) -> RulesAnswer
    /// The coverage as a page for people.
    func coveragePage(project: String) -> RulesAnswer
}

/// The answer of a ``RulesEndpoint``.
package struct RulesAnswer: Sendable {
    let status: Int
    let contentType: String
    let body: [UInt8]

    /// Creates an answer.
    package init(status: Int = 200, _ body: JSONValue) {
        self.init(status: status, "application/json; charset=UTF-8", body.encoded)
    }

    /// Creates an answer of text in UTF-8.
    package init(contentType: String, _ text: String) { self.init(status: 200, contentType, Array(text.utf8)) }

    private init(status: Int, _ contentType: String, _ body: [UInt8]) {
        (self.status, self.contentType, self.body) = (status, contentType, body)
    }
}

extension RulesEndpoint {
    /// The answer to a request; `nil` for one that is for others.
    func answer(method: String, path: String, body: [UInt8]) -> RulesAnswer? {
        guard let (project, verb) = Self.parts(of: path) else { return nil }
        switch (method, verb) {
        case ("GET", "securityRules"): return source(project: project)
        case ("GET", "ruleCoverage"): return coverage(project: project)
        case ("GET", "ruleCoverage.html"): return coveragePage(project: project)
        case ("PUT", "securityRules"):
            guard let json = try? JSONValue(parsing: body) else {
                return .refused("Invalid JSON payload received.")
            }
            return put(json, project: project)
        default: return nil
        }
    }

    /// The project of a path such as `/emulator/v1/projects/{project}:securityRules`, and the verb behind it.
    private static func parts(of path: String) -> (project: String, verb: String)? {
        guard path.hasPrefix("/emulator/v1/projects/"), let colon = path.lastIndex(of: ":") else { return nil }
        let project = path[..<colon].dropFirst("/emulator/v1/projects/".count)
            .replacing("/databases/(default)", with: "")
        guard !project.isEmpty, !project.contains("/") else { return nil }
        return (String(project), String(path[colon...].dropFirst()))
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
