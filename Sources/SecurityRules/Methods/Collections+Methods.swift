// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        guard arguments.isEmpty else { return nil }
        switch method {
        case .size: return .integer(Int64(count))
        case .toBase64: return .string(base64URL)
        case .toHexString: return .string(hexadecimal)
        default: return nil
        }
    }
}

extension [RulesValue] {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        switch (method, arguments.count) {
        case (.size, 0): return .integer(Int64(count))
        case (.toSet, 0): return .set(RulesSet(self))
        case (.join, 1):
            guard case .string(let separator) = arguments[0] else { return nil }
            return joined(by: separator)
        case (.hasAll, 1), (.hasAny, 1), (.hasOnly, 1), (.concat, 1), (.removeAll, 1):
            guard case .list(let other) = arguments[0] else { return nil }
            return combined(with: other, by: method)
        default: return nil
        }
    }

    private func combined(with other: [RulesValue], by method: Method) -> RulesValue {
        switch method {
        case .hasAll: .boolean(other.allSatisfy { contains($0, by: .membership) })
        case .hasAny: .boolean(other.contains { contains($0, by: .membership) })
        case .hasOnly: .boolean(allSatisfy { other.contains($0, by: .membership) })
        case .concat: .list(self + other)
        default: .list(filter { !other.contains($0, by: .membership) })
        }
    }

    private func joined(by separator: String) -> RulesValue {
        var texts: [String] = []
        for element in self {
            guard case .string(let text) = element.asText else { return element.asText }
            texts.append(text)
        }
        return .string(texts.joined(separator: separator))
    }
}

extension RulesSet {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        switch (method, arguments.count, arguments.first) {
        case (.size, 0, _): .integer(Int64(elements.count))
        case (.hasAll, 1, .list(let other)), (.hasAny, 1, .list(let other)), (.hasOnly, 1, .list(let other)):
            compared(with: RulesSet(other), by: method)
        case (.hasAll, 1, .set(let other)), (.hasAny, 1, .set(let other)), (.hasOnly, 1, .set(let other)):
            compared(with: other, by: method)
        case (.union, 1, .set(let other)): .set(RulesSet(elements + other.elements))
        case (.intersection, 1, .set(let other)): .set(RulesSet(elements.filter(other.contains)))
        case (.difference, 1, .set(let other)): .set(RulesSet(elements.filter { !other.contains($0) }))
        default: nil
        }
    }

    private func compared(with other: RulesSet, by method: Method) -> RulesValue {
        switch method {
        case .hasAll: .boolean(other.elements.allSatisfy(contains))
        case .hasAny: .boolean(other.elements.contains(where: contains))
        default: .boolean(elements.allSatisfy(other.contains))
        }
    }
}

extension RulesMap {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        switch (method, arguments.count, arguments.first) {
        case (.size, 0, _): .integer(Int64(entries.count))
        case (.keys, 0, _): .list(keys.map(RulesValue.string))
        case (.values, 0, _): .list(values)
        case (.get, 2, .string(let key)): self[key] ?? arguments[1]
        case (.get, 2, .list(let keys)): value(at: keys, orElse: arguments[1])
        case (.diff, 1, .map(let other)): .mapDiff(MapDiff(self, other))
        default: nil
        }
    }

    /// Follows keys into maps.
    private func value(at keys: [RulesValue], orElse other: RulesValue) -> RulesValue {
        var names: [String] = []
        for key in keys {
            guard case .string(let name) = key else {
                return .failure(.type(received: key.typeName, expected: "string"))
            }
            names.append(name)
        }
        var value = RulesValue.map(self)
        for name in names {
            guard case .map(let map) = value, let next = map[name] else { return other }
            value = next
        }
        return value
    }
}

extension MapDiff {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        guard arguments.isEmpty else { return nil }
        switch method {
        case .addedKeys: return keys([.added])
        case .removedKeys: return keys([.removed])
        case .changedKeys: return keys([.changed])
        case .unchangedKeys: return keys([.unchanged])
        case .affectedKeys: return keys([.added, .removed, .changed])
        default: return nil
        }
    }
}

extension RulesPath {
    func call(_ method: Method, _ arguments: [RulesValue]) -> RulesValue? {
        guard method == .bind, arguments.count == 1, case .map(let values) = arguments[0] else { return nil }
        return bound(to: values)
    }

    private func bound(to values: RulesMap) -> RulesValue {
        let known = segments.compactMap(\.captureName)
        let unknown = values.keys.filter { !known.contains($0) }
        guard unknown.isEmpty else {
            let names = unknown.inJavaSetOrder.joined(separator: ",")
            return .failure(.other("Variable(s) \(names) do not exist in the path template."))
        }
        var result: [Segment] = []
        for segment in segments {
            guard let name = segment.captureName else {
                result.append(segment)
                continue
            }
            // Captures that nothing is bound to vanish.
            guard let value = values[name] else { continue }
            switch segment.bound(to: value) {
            case .success(let bound): result.append(bound)
            case .failure(let failure): return .failure(failure.reason)
            }
        }
        return .path(RulesPath(result))
    }
}

/// A failure that a `Result` can hold.
private struct BindingFailure: Error {
    let reason: Failure
}

extension RulesPath.Segment {
    fileprivate var captureName: String? {
        switch self {
        case .capture(let name, _), .glob(let name, _): name
        case .literal, .unbound, .anywhere: nil
        }
    }

    fileprivate func bound(to value: RulesValue) -> Result<Self, BindingFailure> {
        switch self {
        case .glob(let name, _):
            guard case .path(let path) = value else {
                return .failure(BindingFailure(reason: .type(received: value.typeName, expected: "path")))
            }
            if case .failure(let failure)? = path.bindingFailure { return .failure(BindingFailure(reason: failure)) }
            return .success(.glob(name, bound: path.names ?? []))
        case .capture(let name, _):
            let text = value.asText
            guard case .string(let bound) = text else {
                guard case .failure(let failure) = text else { return .success(self) }
                return .failure(BindingFailure(reason: failure))
            }
            guard !bound.isEmpty else {
                return .failure(
                    BindingFailure(reason: .other("Cannot bind empty value to path template variable \(name)."))
                )
            }
            return .success(.capture(name, bound: bound))
        case .literal, .unbound, .anywhere: return .success(self)
        }
    }
}
