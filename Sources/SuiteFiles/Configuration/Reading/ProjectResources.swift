// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// `.firebaserc`: short names of projects, and the databases and buckets behind the names in `firebase.json`.
///
/// Source: firebase-tools 15.28.1, `src/rc.ts`.
struct ProjectResources {
    static let fileName = ".firebaserc"

    /// The ids of projects by their aliases.
    let projects: [String: String]
    private let targets: JSONValue?
    /// The problem of a file that cannot be used, which counts as an empty one.
    let notice: SuiteNotice?

    /// Reads the file of a directory, if there is one.
    init(in directory: String) {
        let path = FileTree.absolute(Self.fileName, from: directory)
        let root: JSONValue
        var notice: SuiteNotice?
        do throws(SuiteConfigurationError) {
            root = ProjectPath.isFile(path) ? try ConfigurationFile(path).value : .object([:])
        } catch {
            root = .object([:])
            notice = .warning("JSON error trying to load \(path): \(error)")
        }
        projects = (root["projects"]?.members ?? [:]).compactMapValues(\.text)
        targets = root["targets"]
        self.notice = notice
    }

    /// The resources behind a name.
    ///
    /// - Parameters:
    ///   - name: The name in `firebase.json`.
    ///   - service: Whose resources they are.
    ///   - project: The id of the project.
    /// - Returns: None where the name is not configured.
    func target(_ name: String, of service: SuiteService, in project: String) -> [String] {
        let resources = targets?[project]?[service.rawValue]?[name]
        return resources?.array?.compactMap(\.text) ?? resources?.text.map { [$0] } ?? []
    }

    /// As ``target(_:of:in:)``; throws where there is none.
    func requiredTarget(
        _ name: String,
        of service: SuiteService,
        in project: String
    ) throws(SuiteConfigurationError) -> [String] {
        let resources = target(name, of: service, in: project)
        guard resources.isEmpty else { return resources }
        throw .badFile(
            """
            Deploy target \(name) not configured for project \(project). Configure with:

              firebase target:apply \(service.rawValue) \(name) <resources...>
            """
        )
    }
}
