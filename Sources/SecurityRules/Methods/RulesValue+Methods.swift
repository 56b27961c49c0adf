// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesValue {
    /// Calls a method; only arguments may be failures.
    func call(_ method: Method, with arguments: [RulesValue]) -> RulesValue {
        if let failure = arguments.firstFailure { return refusal(of: method) ?? failure }
        let result: RulesValue? =
            switch self {
            case .string(let text): text.call(method, arguments)
            case .bytes(let bytes): bytes.call(method, arguments)
            case .list(let elements): elements.call(method, arguments)
            case .set(let set): set.call(method, arguments)
            case .map(let map): map.call(method, arguments)
            case .mapDiff(let difference): difference.call(method, arguments)
            case .path(let path): path.call(method, arguments)
            case .timestamp(let time): time.call(method, arguments)
            case .duration(let span): span.call(method, arguments)
            case .latLng(let place): place.call(method, arguments)
            case .constraint(let constraint): constraint.call(method, arguments)
            case .null: .failure(.nullValue)
            case .boolean, .integer, .float, .vector, .failure: nil
            }
        return result ?? refusal(of: method)
            ?? arguments.refusal(
                name: "\(typeName).\(method.rawValue)",
                expecting: isConstraint ? "list.\(method.rawValue)" : nil,
                forms: method.forms(of: typeName) ?? []
            )
    }

    /// The failure of a call, whatever its arguments.
    private func refusal(of method: Method) -> RulesValue? {
        if case .null = self { return .failure(.nullValue) }
        return method.forms(of: typeName) == nil ? .failure(.functionNotFound(method.rawValue)) : nil
    }
}

extension [RulesValue] {
    /// The failure of a call with arguments that none of its forms takes.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - expected: The name in its forms, if that is another.
    ///   - forms: The types of the arguments of each form.
    /// - Returns: A failure.
    func refusal(name: String, expecting expected: String? = nil, forms: [[String]]) -> RulesValue {
        let expected = forms.map { "\(expected ?? name)(\($0.joined(separator: ", ")))" }.joined(separator: ", ")
        guard forms.contains(where: { $0.count == count }) else {
            return .failure(.argumentCount(received: count, expected: expected))
        }
        let received = map(\.typeName).joined(separator: ", ")
        return .failure(.unsupported(received: "\(name)(\(received))", expected: expected))
    }
}

extension Builtin {
    /// The failure of a call that none of its forms takes.
    func refusal(of arguments: [RulesValue]) -> RulesValue { arguments.refusal(name: rawValue, forms: forms) }
}
