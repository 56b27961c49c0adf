// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// A function as the Functions emulator lists it.
///
/// Source: firebase-tools 15.28.1, `src/emulator/functionsEmulatorShared.ts`, `EmulatedTriggerDefinition`.
struct ListedFunction: Sendable, Hashable {
    /// The label that holds the function's address in production's terms.
    private static let sourceLabel = "EVENTARC_CLOUD_EVENT_SOURCE"
    private static let defaultRegion = "us-central1"

    let name: String
    let region: String
    let isSecondGeneration: Bool
    /// The project, where the function says it.
    let project: String?
    let eventTrigger: JSONValue?
    let blockingTrigger: JSONValue?

    /// The name by which the Functions emulator keeps the function: `us-central1-notify`.
    var id: String { "\(region)-\(name)" }

    /// Reads the functions of a listing, one for each region that they are in.
    ///
    /// - Parameter listing: The answer to `GET /backends`.
    /// - Returns: The functions; `nil` for an answer of another form.
    static func all(in listing: JSONValue) -> [ListedFunction]? {
        guard let backends = listing["backends"]?.array else { return nil }
        return backends.flatMap { $0["functionTriggers"]?.array ?? [] }.flatMap(functions)
    }

    private static func functions(_ json: JSONValue) -> [ListedFunction] {
        guard let name = json["name"]?.string, !name.isEmpty else { return [] }
        let regions = json["region"]?.string.map { [$0] } ?? json["regions"]?.array?.compactMap(\.string) ?? []
        return (regions.isEmpty ? [defaultRegion] : regions).map { region in
            ListedFunction(
                name: name,
                region: region,
                isSecondGeneration: json["platform"]?.string == "gcfv2",
                project: project(json),
                eventTrigger: json["eventTrigger"],
                blockingTrigger: json["blockingTrigger"]
            )
        }
    }

    /// `projects/P/…` of the resource, or of the source that events have, whose first part is a service.
    private static func project(_ json: JSONValue) -> String? {
        let texts = [json["eventTrigger"]?["resource"]?.string, json["labels"]?[sourceLabel]?.string]
        for case let text? in texts {
            let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            guard let index = parts.firstIndex(of: "projects"), index + 1 < parts.count else { continue }
            // Buckets are of `projects/_`.
            guard !parts[index + 1].isEmpty, parts[index + 1] != "_" else { continue }
            return String(parts[index + 1])
        }
        return nil
    }
}

extension ListedFunction {
    private static let firstPrefix = "providers/cloud.firestore/"
    private static let secondPrefix = "google.cloud.firestore."

    /// Whether changes of documents run it.
    var isOfDocuments: Bool {
        eventTrigger?["eventType"]?.string?.hasPrefix(isSecondGeneration ? Self.secondPrefix : Self.firstPrefix)
            ?? false
    }

    /// The trigger, as firebase-tools would register it under a key.
    func trigger(key: String, project: String) throws(TriggerFailure) -> DocumentTrigger {
        guard let eventTrigger else { throw .missing("eventTrigger") }
        guard isSecondGeneration else {
            return try DocumentTrigger(legacy: .object(["eventTrigger": eventTrigger]), key: key, project: project)
        }
        let (exact, patterns) = (eventTrigger["eventFilters"], eventTrigger["eventFilterPathPatterns"])
        let pattern = patterns?["document"]
        var body: [String: JSONValue] = [:]
        body["eventType"] = eventTrigger["eventType"]
        body["database"] = exact?["database"]
        body["namespace"] = exact?["namespace"]
        body["document"] = (pattern ?? exact?["document"]).map { document in
            .object(["value": document, "matchType": .string(pattern == nil ? "EXACT" : "PATH_PATTERN")])
        }
        return try DocumentTrigger(cloudEvent: .object(body), key: key)
    }
}
