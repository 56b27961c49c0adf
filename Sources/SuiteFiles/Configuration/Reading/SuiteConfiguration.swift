// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// `firebase.json`, with the files that stand for its sections in their place.
///
/// Unknown members are left alone, and sections of services that are not served here are not looked into. Source:
/// firebase-tools 15.28.1, `src/config.ts`, `src/detectProjectRoot.ts` and `DEFAULT_CONFIG` in
/// `src/emulator/commandUtils.ts`.
struct SuiteConfiguration {
    static let fileName = "firebase.json"

    /// The project's directory, absolute.
    let directory: String
    /// The absolute path of the file; `nil` where there is none.
    let file: String?
    private let root: [String: JSONValue]
    private(set) var notices: [SuiteNotice] = []

    /// Finds and reads the file.
    ///
    /// - Parameter request: The circumstances of the start.
    ///   `nil` results where no directory from the working directory upwards has one, and none is named.
    /// - Throws: `SuiteConfigurationError`.
    init?(for request: SuiteRequest) throws(SuiteConfigurationError) {
        guard let path = try Self.path(for: request) else { return nil }
        directory = ProjectPath.parent(of: path)
        file = path
        do throws(SuiteConfigurationError) {
            let reading = try ConfigurationFile(path, emptyValue: .object([:]))
            guard case .object(let members) = reading.value else { throw .badFile("\(path) must hold an object") }
            root = try Self.includingFiles(members, in: directory)
            notices += reading.notice.map { [$0] } ?? []
        } catch {
            throw error.whileLoading(request.configurationPath ?? Self.fileName)
        }
        if root["firebase"]?.isTruthy == true {
            notices.append(
                .warning(#""firebase" key in firebase.json is deprecated. Run firebase use --add instead"#)
            )
        }
    }

    /// The configuration of a directory that has none; firebase-tools leaves Storage out of its own.
    init(defaultsIn directory: String) {
        self.directory = directory
        file = nil
        let emulators: [String: JSONValue] = ["auth": .object([:]), "pubsub": .object([:]), "storage": .object([:])]
        root = [
            "firestore": .object([:]), "database": .object([:]), "functions": .object([:]),
            "emulators": .object(emulators),
        ]
        notices = [.warning("Could not find config (firebase.json) so using defaults.")]
    }

    /// Names the project in old files.
    var deprecatedProject: String? { root["firebase"]?.text }

    /// A section at the top level; `nil` where there is none, or a value that JavaScript takes for false.
    func section(_ name: String) -> JSONValue? {
        root[name].flatMap { $0.isTruthy ? $0 : nil }
    }

    /// The settings of an emulator, or another member of `emulators`; `nil` where there is none.
    func setting(_ name: String) -> JSONValue? { section("emulators")?[name] }

    /// Whether the file asks for an emulator.
    func asksFor(_ service: SuiteService) -> Bool {
        if setting(service.rawValue) != nil { return true }
        switch service {
        // These are read from `emulators` alone.
        case .pubsub, .eventarc, .tasks, .hub, .ui, .logging: return false
        // An old name of Realtime Database's rules.
        case .database: return section("database") != nil || section("rules") != nil
        default: return section(service.rawValue) != nil
        }
    }
}

extension SuiteConfiguration {
    private static func path(for request: SuiteRequest) throws(SuiteConfigurationError) -> String? {
        if let named = request.configurationPath {
            let path = FileTree.absolute(named, from: request.workingDirectory)
            guard !named.utf8.contains(0), ProjectPath.isFile(path) else {
                throw SuiteConfigurationError(
                    code: .notInProject,
                    description: "Could not load config file \(named)."
                )
            }
            return path
        }
        var directory = FileTree.absolute(request.workingDirectory, from: "/")
        while true {
            let path = FileTree.absolute(fileName, from: directory)
            if ProjectPath.isFile(path) { return path }
            guard directory != "/" else { return nil }
            directory = ProjectPath.parent(of: directory)
        }
    }

    /// The members, those that are paths of files replaced by what the files hold.
    private static func includingFiles(
        _ members: [String: JSONValue],
        in directory: String
    ) throws(SuiteConfigurationError) -> [String: JSONValue] {
        var members = members
        for name in ["auth", "emulators", "firestore", "storage"] {
            guard let value = members[name], value.isTruthy else { continue }
            switch value {
            case .array, .object: continue
            case .string(let path): members[name] = try included(path, as: name, in: directory)
            default: throw .badFile(#"Parse Error: "\#(name)" must be object or import path"#)
            }
        }
        return members
    }

    private static func included(
        _ path: String,
        as name: String,
        in directory: String
    ) throws(SuiteConfigurationError) -> JSONValue {
        let absolutePath = FileTree.absolute(path, from: directory)
        guard !path.utf8.contains(0), ProjectPath.isFile(absolutePath) else {
            throw .badFile("Parse Error: Imported file \(path) does not exist")
        }
        guard path.hasSuffix(".json") else {
            throw .badFile("Parse Error: \(path) is not of a supported config file type")
        }
        let value = try ConfigurationFile(absolutePath).value
        // A file may repeat the section's name, as in {"firestore": {…}}.
        if value.members.count == 1, let inner = value[name], inner.isTruthy { return inner }
        return value
    }
}
