// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel
package import JSON
import Wire

/// Takes and shows the Security Rules of projects, at `/emulator/v1/projects/{project}:securityRules`, and reports the
/// values of their expressions, at `:ruleCoverage`, as the official emulator does (1.19.9, 2026-11).
///
/// Those of databases that have rules of their own, which the official emulator has not, are read at
/// `/emulator/v1/projects/{project}/databases/{database}:ruleCoverage`.
package protocol RulesEndpoint: Sendable {
    /// Puts rules in force; a refusal leaves the former in force.
    func put(_ body: JSONValue, project: String) -> RulesAnswer
    /// The source of the rules in force.
    func source(of database: DatabaseID) -> RulesAnswer
    /// The rules in force with the values that their expressions had.
    func coverage(of database: DatabaseID) -> RulesAnswer
    /// The coverage as a page for people.
    func coveragePage(of database: DatabaseID) -> RulesAnswer
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
        guard let (database, verb) = Self.parts(of: path) else { return nil }
        switch (method, verb) {
        case ("GET", "securityRules"): return source(of: database)
        case ("GET", "ruleCoverage"): return coverage(of: database)
        case ("GET", "ruleCoverage.html"): return coveragePage(of: database)
        case ("PUT", "securityRules") where database == DatabaseID(project: database.project):
            guard let json = try? JSONValue(parsing: body) else {
                return .refused("Invalid JSON payload received.")
            }
            return put(json, project: database.project)
        default: return nil
        }
    }

    /// The database of a path such as `/emulator/v1/projects/{project}:securityRules`, and the verb behind it.
    private static func parts(of path: String) -> (database: DatabaseID, verb: String)? {
        guard path.hasPrefix("/emulator/v1/projects/"), let colon = path.lastIndex(of: ":") else { return nil }
        let names = path[..<colon].dropFirst("/emulator/v1/projects/".count)
            .split(separator: "/", omittingEmptySubsequences: false)
        let segments = names.compactMap { PercentCoding.decode($0) }
        guard segments.count == names.count, segments.allSatisfy({ !$0.isEmpty }) else { return nil }
        let verb = String(path[colon...].dropFirst())
        switch segments.count {
        case 1: return (DatabaseID(project: segments[0]), verb)
        case 3 where segments[1] == "databases":
            return (DatabaseID(project: segments[0], database: segments[2]), verb)
        default: return nil
        }
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
