// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

// The bodies that the Functions emulator registers (firebase-tools 15.28.1, `src/emulator/functionsEmulator.ts`,
// getV1FirestoreAttributes and getV2FirestoreAttributes).

extension DocumentTrigger {
    /// Reads a registration of generation 1.
    init(legacy body: JSONValue, key: String, project: String) throws(TriggerFailure) {
        guard let trigger = body["eventTrigger"] else { throw .missing("eventTrigger") }
        let typeName = try Self.text(trigger["eventType"], "eventTrigger.eventType")
        guard let type = DocumentEventType(legacy: typeName) else { throw .unknownEventType(typeName) }
        let resource = try Resource(Self.text(trigger["resource"], "eventTrigger.resource"))
        guard resource.project == project else { throw .foreignProject(resource.project, expected: project) }
        self.init(
            key: try Self.checked(key),
            type: type,
            database: resource.database,
            namespace: Self.defaultNamespace,
            pattern: try PathPattern(resource.pattern)
        )
    }

    /// Reads a registration of generation 2.
    init(cloudEvent body: JSONValue, key: String) throws(TriggerFailure) {
        let typeName = try Self.text(body["eventType"], "eventType")
        guard let type = DocumentEventType(cloudEvent: typeName) else { throw .unknownEventType(typeName) }
        let path = try Self.text(body["document"]?["value"], "document.value")
        self.init(
            key: try Self.checked(key),
            type: type,
            database: try Self.text(body["database"], "database"),
            namespace: try Self.text(body["namespace"], "namespace"),
            pattern: try Self.pattern(path, matchType: Self.text(body["document"]?["matchType"], "document.matchType"))
        )
    }

    private static func pattern(_ path: String, matchType: String) throws(TriggerFailure) -> PathPattern {
        switch matchType {
        case "EXACT": try PathPattern(exactly: path)
        case "PATH_PATTERN": try PathPattern(path)
        default: throw .unknownMatchType(matchType)
        }
    }

    private static func text(_ value: JSONValue?, _ field: String) throws(TriggerFailure) -> String {
        guard let text = value?.string, !text.isEmpty else { throw .missing(field) }
        return text
    }

    private static func checked(_ key: String) throws(TriggerFailure) -> String {
        guard (1...keyByteCountMax).contains(key.utf8.count), !key.utf8.contains(where: { $0 < 0x20 }) else {
            throw .invalidKey
        }
        return key
    }
}

/// The resource of a trigger of generation 1: `projects/P/databases/D/documents/PATTERN`.
private struct Resource {
    let project: String
    let database: String
    let pattern: String

    init(_ text: String) throws(TriggerFailure) {
        let parts = text.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "projects", parts[2] == "databases", parts[4] == "documents",
            !parts[1].isEmpty, !parts[3].isEmpty, !parts[5].isEmpty
        else { throw .malformedResource(text) }
        (project, database, pattern) = (String(parts[1]), String(parts[3]), String(parts[5]))
    }
}
