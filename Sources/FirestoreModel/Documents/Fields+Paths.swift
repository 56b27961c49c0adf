// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Reaching into nested maps by field path.

extension [String: Value] {
    /// The value at a path; `nil` when a field on the way is missing or no map.
    package func value(at path: FieldPath) -> Value? {
        value(at: path.segments[...])
    }

    /// Puts a value at a path, making maps of whatever else is on the way.
    package mutating func set(_ value: Value, at path: FieldPath) {
        set(value, at: path.segments[...])
    }

    /// Removes the field at a path, if there is one.
    package mutating func removeValue(at path: FieldPath) {
        removeValue(at: path.segments[...])
    }

    private func value(at segments: ArraySlice<String>) -> Value? {
        guard let name = segments.first, let value = self[name] else { return nil }
        guard segments.count > 1 else { return value }
        guard case .map(let fields) = value else { return nil }
        return fields.value(at: segments.dropFirst())
    }

    private mutating func set(_ value: Value, at segments: ArraySlice<String>) {
        guard let name = segments.first else { return }
        guard segments.count > 1 else {
            self[name] = value
            return
        }
        var inner = self[name]?.mapFields ?? [:]
        inner.set(value, at: segments.dropFirst())
        self[name] = .map(inner)
    }

    private mutating func removeValue(at segments: ArraySlice<String>) {
        guard let name = segments.first else { return }
        guard segments.count > 1 else {
            self[name] = nil
            return
        }
        guard case .map(var inner) = self[name] else { return }
        inner.removeValue(at: segments.dropFirst())
        self[name] = .map(inner)
    }
}

extension Value {
    fileprivate var mapFields: [String: Value]? {
        guard case .map(let fields) = self else { return nil }
        return fields
    }
}
