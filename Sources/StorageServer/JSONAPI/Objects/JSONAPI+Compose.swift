// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// Composes objects of a bucket into one.
    func compose(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let preconditions = try ObjectPreconditions(call.target)
        let key = try CustomerKey.read(call)
        let body = try await call.jsonBody()
        let components = try Self.components(body["sourceObjects"])
        let destination = ObjectChanges(body["destination"])
        // Unlike an upload, a composition without a content type has none.
        var requested = try destination.attributes(.json(now: store.now), mediaContentType: "")
        let grants = try await predefinedGrants(
            call.target.text("destinationPredefinedAcl"),
            in: path.bucket,
            for: call
        )
        if let grants { requested.accessControls = grants }
        requested.keyName = call.target.text("kmsKeyName") ?? requested.keyName
        let attributes = requested
        let composed = try await blockingWork { [store] in
            for component in components {
                let source = ObjectPath(bucket: path.bucket, name: component.name)
                guard let object = try store.metadata(at: source, generation: component.generation) else {
                    throw StorageFailure.noSuchObject(source)
                }
                try CustomerKey.check(key, opens: object)
            }
            return try store.compose(
                components,
                into: path,
                attributes: attributes,
                preconditions: preconditions,
                customerKeyHash: key?.hash
            )
        }
        if body["deleteSourceObjects"]?.isTrue ?? false { try await delete(components, except: composed) }
        return try await describeInFull(composed, isNew: true, for: call)
    }

    private func delete(_ components: [ObjectComponent], except composed: ObjectMetadata) async throws {
        try await blockingWork { [store] in
            for component in components where component.name != composed.name {
                let path = ObjectPath(bucket: composed.bucket, name: component.name)
                let generation = try component.generation ?? store.metadata(at: path)?.generation
                _ = try store.delete(at: path, generation: generation)
            }
        }
    }

    private static func components(_ value: JSONValue?) throws(StorageFailure) -> [ObjectComponent] {
        guard let sources = value?.array, !sources.isEmpty else {
            throw .invalid("You must provide at least one source component.")
        }
        guard sources.count <= SQLiteObjectStore.componentCountMax else {
            throw .invalid(
                "The number of source components provided (\(sources.count)) exceeds the maximum"
                    + " (\(SQLiteObjectStore.componentCountMax))"
            )
        }
        var components: [ObjectComponent] = []
        for source in sources {
            guard let name = source["name"]?.string.flatMap(ObjectName.init) else { throw .required("name") }
            let match = try number(source["objectPreconditions"]?["ifGenerationMatch"], key: "ifGenerationMatch")
            components.append(
                ObjectComponent(
                    name: name,
                    generation: try number(source["generation"], key: "generation"),
                    preconditions: ObjectPreconditions(ifGenerationMatch: match)
                )
            )
        }
        return components
    }

    private static func number(_ value: JSONValue?, key: String) throws(StorageFailure) -> Int64? {
        guard let value, value != .null else { return nil }
        guard let number = value.asText.flatMap(Int64.init) else { throw .invalidMember(key) }
        return number
    }
}
