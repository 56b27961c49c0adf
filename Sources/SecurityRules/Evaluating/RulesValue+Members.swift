// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesValue {
    /// The value of `self.name`.
    func member(_ name: String) -> RulesValue {
        switch self {
        case .map(let map): map[name] ?? .failure(.undefinedProperty(name))
        case .path(let path): path.value(of: name)
        case .failure: self
        case .null: .failure(.nullValue)
        default: .failure(.type(received: typeName, expected: "map,path"))
        }
    }

    /// `self[index]`; only the index may be a failure.
    func element(at index: RulesValue) -> RulesValue {
        switch (self, index) {
        case (.list, .failure), (.string, .failure), (.path, .failure), (.map, .failure): index
        case (.list(let elements), .integer(let place)):
            Self.element(at: place, of: elements.count) { elements[$0] }
        case (.string(let text), .integer(let place)):
            Self.element(at: place, of: text.utf16.count) { .string(text.units($0..<($0 + 1))) }
        case (.path(let path), .integer(let place)):
            path.withNames { names in Self.element(at: place, of: names.count) { .string(names[$0]) } }
        case (.path(let path), .string(let name)): path.value(of: name)
        case (.map(let map), .string(let key)): map[key] ?? .failure(.undefinedProperty(key))
        case (.null, _): .failure(.nullValue)
        case (.list, _), (.string, _): misuse(index: index, expected: "\(typeName)[int]")
        case (.path, _): misuse(index: index, expected: "path[string], path[int]")
        case (.map, _): misuse(index: index, expected: "map[string]")
        default: .failure(.functionNotFound("[]"))
        }
    }

    private func misuse(index: RulesValue, expected: String) -> RulesValue {
        .failure(.unsupported(received: "\(typeName)[\(index.typeName)]", expected: expected))
    }

    private static func element(at place: Int64, of count: Int, _ element: (Int) -> RulesValue) -> RulesValue {
        guard place >= 0, place < count else { return .failure(.outOfBounds(index: String(place), size: count)) }
        return element(Int(place))
    }

    /// `self[from:to]`, where null stands for either end; only they may be failures.
    func elements(from: RulesValue, to: RulesValue) -> RulesValue {
        let count: Int
        switch self {
        case .list(let elements): count = elements.count
        case .string(let text): count = text.utf16.count
        case .path(let path):
            guard let names = path.names else { return path.withNames { _ in self } }
            count = names.count
        case .null: return .failure(.nullValue)
        default: return .failure(.functionNotFound("@range"))
        }
        if let failure = [from, to].firstFailure { return failure }
        guard let start = from.rangeEnd(0), let end = to.rangeEnd(Int64(count)) else {
            let forms = rangeForms.map { "\(typeName)[\($0)]" }
            return .failure(
                .unsupported(
                    received: "\(typeName)[\(from.typeName):\(to.typeName)]",
                    expected: forms.joined(separator: ", ")
                )
            )
        }
        if !(from.isNull && to.isNull), !(0..<Int64(count)).contains(start) {
            return .failure(.outOfBounds(index: String(start), size: count))
        }
        if !to.isNull, !(1..<Int64(count) + 1).contains(end) {
            return .failure(.outOfBounds(index: String(max(end, .min + 1) - 1), size: count))
        }
        guard start <= end else {
            return .failure(.other("Illegal range error. From index: [\(start)] , To index: [\(end)]."))
        }
        return part(Int(start)..<Int(end))
    }

    private var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// In the order in which failures list them.
    private var rangeForms: [String] {
        if case .path = self { return ["null:null", "int:int", "int:null", "null:int"] }
        return ["null:null", "null:int", "int:null", "int:int"]
    }

    private func rangeEnd(_ whole: Int64) -> Int64? {
        switch self {
        case .null: whole
        case .integer(let place): place
        default: nil
        }
    }

    private func part(_ range: Range<Int>) -> RulesValue {
        switch self {
        case .list(let elements): .list(Array(elements[range]))
        case .string(let text): .string(text.units(range))
        case .path(let path):
            .path(
                path.segments.count == path.names?.count
                    ? RulesPath(Array(path.segments[range])) : RulesPath(names: (path.names ?? [])[range])
            )
        default: self
        }
    }
}

extension String {
    /// A part by UTF-16 code units; half of a pair becomes a question mark.
    fileprivate func units(_ range: Range<Int>) -> String {
        let units = Array(utf16.dropFirst(range.lowerBound).prefix(range.count))
        return String(decoding: units, as: UTF16.self).replacing("\u{FFFD}", with: "?")
    }
}

extension RulesPath {
    /// The value that its names make; a failure where one of them is not known.
    fileprivate func withNames(_ make: ([String]) -> RulesValue) -> RulesValue {
        names.map(make) ?? bindingFailure ?? .failure(.nullValue)
    }

    /// The failure of the first segment without a name.
    var bindingFailure: RulesValue? { segments.map(\.value).firstFailure }

    /// The value that a capture of the path is bound to.
    fileprivate func value(of name: String) -> RulesValue {
        for segment in segments {
            switch segment {
            case .capture(name, _), .glob(name, _): return segment.value
            case .literal, .capture, .glob, .unbound, .anywhere: continue
            }
        }
        return .failure(.undefinedProperty(name))
    }
}

extension RulesPath.Segment {
    var value: RulesValue {
        switch self {
        case .literal(let name), .capture(_, .some(let name)): .string(name)
        case .glob(_, .some(let names)): .path(RulesPath(names: names))
        case .capture(let name, nil), .glob(let name, nil):
            .failure(.other("Variable \(name) is not bound in path template."))
        case .unbound, .anywhere: .failure(.nullValue)
        }
    }
}
