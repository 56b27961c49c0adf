// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesValue {
    /// The map of keys and values in turn; failures of keys come before those of values.
    ///
    /// - Parameter operands: The keys and values.
    /// - Returns: The map, or a failure with the place of the key that it is about.
    static func map(of operands: [RulesValue]) -> (value: RulesValue, failedKey: Int?) {
        var names: [String] = []
        for place in stride(from: 0, to: operands.count, by: 2) {
            guard case .string(let name) = operands[place] else {
                let failure = operands[place].withoutFailure {
                    .failure(.type(received: $0.typeName, expected: "string"))
                }
                return (failure, place)
            }
            names.append(name)
        }
        if let failure = operands.firstFailure { return (failure, nil) }
        var entries: [String: RulesValue] = [:]
        var order: [String] = []
        for (place, name) in names.enumerated() {
            if entries.updateValue(operands[2 * place + 1], forKey: name) == nil { order.append(name) }
        }
        return (.map(RulesMap(entries, order: order)), nil)
    }
}

extension PlanPath {
    /// A path that was made, or the failure of a part.
    struct Made {
        let value: RulesValue
        /// The names in it as it is written, up to a part that failed: each is an expression.
        let literalCount: Int
        /// The place among the operands of the one that failed.
        var failed: Int?
        /// Whether a part has failed that is not the last: operators may meet the parts behind it.
        var leavesOperands = false
    }

    /// The path with the values of its computed parts.
    func value(with operands: [RulesValue]) -> Made {
        var segments: [RulesPath.Segment] = []
        segments.reserveCapacity(parts.count)
        var (next, literalCount) = (0, 0)
        for (place, part) in parts.enumerated() {
            switch part {
            case .literal(let name):
                literalCount += 1
                segments.append(.literal(name))
            case .capture(let name): segments.append(.capture(name, bound: nil))
            case .glob(let name): segments.append(.glob(name, bound: nil))
            case .computed:
                switch RulesPath.segments(of: operands[next]) {
                case .success(let named): segments += named
                case .failure(let failure):
                    return Made(
                        value: .failure(failure),
                        literalCount: literalCount,
                        failed: next,
                        leavesOperands: place < parts.count - 1
                    )
                }
                next += 1
            }
        }
        return Made(value: .path(RulesPath(segments)), literalCount: literalCount)
    }
}
