// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The projects that `firebase use` chose for directories, in the Firebase CLI's own settings.
///
/// Source: firebase-tools 15.28.1, `configstoreProject` in `src/command.ts`; the file's place is configstore's.
struct ActiveProjects {
    private let projects: [String: JSONValue]
    /// The problem of a file that cannot be used, which counts as an empty one.
    let notice: SuiteNotice?

    /// Reads the settings of a user, if there are some.
    init(environment: [String: String]) {
        guard let path = Self.path(environment), ProjectPath.isFile(path) else {
            (projects, notice) = ([:], nil)
            return
        }
        do throws(SuiteConfigurationError) {
            projects = try ConfigurationFile(path, emptyValue: .object([:])).value["activeProjects"]?.members ?? [:]
            notice = nil
        } catch {
            projects = [:]
            notice = .warning("The project chosen by firebase use is not known: \(error)")
        }
    }

    private static func path(_ environment: [String: String]) -> String? {
        let settings = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let directory = settings ?? environment["HOME"].map { "\($0)/.config" }
        return directory.map { FileTree.absolute("configstore/firebase-tools.json", from: $0) }
    }

    /// The project of a directory, or of the next one above that has one.
    func project(of directory: String) -> String? {
        var directory = FileTree.absolute(directory, from: "/")
        while true {
            if let project = projects[directory]?.text { return project }
            guard directory != "/" else { return nil }
            directory = ProjectPath.parent(of: directory)
        }
    }
}
