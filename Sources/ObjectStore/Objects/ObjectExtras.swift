// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The rare attributes of an object: kept as JSON in one column, which is NULL for all others.
struct ObjectExtras: Codable, Hashable {
    var customTime: Int64?
    var hasTemporaryHold: Bool?
    var hasEventBasedHold: Bool?
    var retention: ObjectRetention?
    var accessControls: [AccessControl]?
    var keyName: String?
    var owner: String?
    var contexts: [String: ObjectContext]?
    var timeStorageClassUpdated: Int64?
    var componentCount: Int?
    var customerKeyHash: String?
    var timeReleased: Int64?

    private static let none = Self()

    private init() {}

    init(_ object: ObjectMetadata) {
        let attributes = object.attributes
        customTime = attributes.customTime
        hasTemporaryHold = attributes.hasTemporaryHold
        hasEventBasedHold = attributes.hasEventBasedHold
        retention = attributes.retention
        accessControls = attributes.accessControls
        keyName = attributes.keyName
        owner = attributes.owner
        contexts = attributes.contexts.isEmpty ? nil : attributes.contexts
        let isClassOriginal = object.timeStorageClassUpdated == object.timeCreated
        timeStorageClassUpdated = isClassOriginal ? nil : object.timeStorageClassUpdated
        componentCount = object.componentCount
        customerKeyHash = object.customerKeyHash
        timeReleased = object.timeReleased
    }

    /// Gives an object what the column holds.
    func apply(to object: inout ObjectMetadata) {
        object.attributes.customTime = customTime
        object.attributes.hasTemporaryHold = hasTemporaryHold
        object.attributes.hasEventBasedHold = hasEventBasedHold
        object.attributes.retention = retention
        object.attributes.accessControls = accessControls
        object.attributes.keyName = keyName
        object.attributes.owner = owner
        object.attributes.contexts = contexts ?? [:]
        object.timeStorageClassUpdated = timeStorageClassUpdated ?? object.timeCreated
        object.componentCount = componentCount
        object.customerKeyHash = customerKeyHash
        object.timeReleased = timeReleased
    }

    /// The text of the column; `nil` when there is nothing to keep.
    func encoded() throws -> String? {
        self == .none ? nil : try JSONColumn.encode(self)
    }
}
