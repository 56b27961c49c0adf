// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles
import TestSupport

/// A project's directory, whose user has a home of its own beside it.
struct ProjectFixture {
    private let root = TemporaryDirectory()

    /// The project's directory.
    var directory: String { root.file("project") }

    /// Creates a project; a `firebase.json` of `nil` is not written.
    init(_ configuration: String? = nil, resources: String? = nil) throws {
        try root.makeFolder("project")
        if let configuration { try write(configuration, to: "firebase.json") }
        if let resources { try write(resources, to: ".firebaserc") }
    }

    /// Creates a project whose files may be empty.
    init(_ configuration: String, files: [String]) throws {
        try self.init(configuration)
        for file in files { try write("", to: file) }
    }

    /// Writes a file of the project.
    func write(_ text: String, to name: String) throws { try root.write(text.utf8, to: "project/\(name)") }

    /// Writes a file whose text is not UTF-8.
    func write(bytes: [UInt8], to name: String) throws { try root.write(bytes, to: "project/\(name)") }

    /// Writes the project that `firebase use` chose for a directory of the project.
    func use(_ project: String, in folder: String = "") throws {
        let place = folder.isEmpty ? directory : "\(directory)/\(folder)"
        try writeSettings(#"{"activeProjects": {"\#(place)": "\#(project)"}}"#)
    }

    /// Writes the settings of the Firebase CLI.
    func writeSettings(_ text: String) throws {
        try root.write(text.utf8, to: "home/.config/configstore/firebase-tools.json")
    }

    /// The circumstances of a start in the project.
    func request(in folder: String = "", only: String? = nil, project: String? = nil) -> SuiteRequest {
        SuiteRequest(
            workingDirectory: folder.isEmpty ? directory : "\(directory)/\(folder)",
            only: only,
            project: project,
            environment: ["HOME": root.file("home")]
        )
    }

    /// Makes a plan.
    func plan(in folder: String = "", only: String? = nil, project: String? = nil) throws -> SuitePlan {
        try SuitePlan(request(in: folder, only: only, project: project))
    }

    /// The message of the error that a plan ends with; `nil` when it ends with none.
    func failure(only: String? = nil, project: String? = nil) -> String? {
        failure(of: request(only: only, project: project))
    }

    /// The message of the error that a plan ends with; `nil` when it ends with none.
    func failure(of request: SuiteRequest) -> String? {
        do throws(SuiteConfigurationError) {
            _ = try SuitePlan(request)
            return nil
        } catch {
            return error.description
        }
    }
}

extension SuitePlan {
    /// The texts of the warnings among the notices.
    var warnings: [String] { notices.filter { $0.level == .warning }.map(\.text) }
}
