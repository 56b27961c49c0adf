// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension QuickEvaluation {
    func binary(_ node: PlanNode) -> QuickValue {
        if node.binary == .isIn { return isIn(node) }
        let right = evaluate(node.b)
        let left = evaluate(node.a)
        let quick: Bool? =
            switch node.binary {
            case .equal: isSame(left, right, by: .equality)
            case .notEqual: isSame(left, right, by: .equality).map { !$0 }
            case .less, .lessOrEqual, .greater, .greaterOrEqual: compared(left, right, by: node.binary)
            default: nil
            }
        return quick.map(QuickValue.boolean) ?? combined(left, right, by: node.binary)
    }

    private func combined(_ left: QuickValue, _ right: QuickValue, by operation: BinaryOperator) -> QuickValue {
        let (left, right) = (value(of: left), value(of: right))
        return quick(left.combined(with: right, by: operation, takingForGranted: &hasTakenForGranted))
    }

    // MARK: Comparisons

    /// Whether two values are the same; `nil` where that takes the values.
    private func isSame(_ left: QuickValue, _ right: QuickValue, by sameness: Sameness) -> Bool? {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.integer(let left), .float(let right)), (.float(let right), .integer(let left)):
            sameness == .equality && Double(left) == right
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.failed, _), (_, .failed), (.made, _), (_, .made): nil
        // Of the others each is of another type, or has to be made.
        default: left.isPlain || right.isPlain ? false : nil
        }
    }

    private func compared(_ left: QuickValue, _ right: QuickValue, by operation: BinaryOperator) -> Bool? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): operation.compares(left, right)
        case (.float(let left), .float(let right)): operation.compares(left, right)
        case (.integer(let left), .float(let right)): operation.compares(Double(left), right)
        case (.float(let left), .integer(let right)): operation.compares(left, Double(right))
        default: nil
        }
    }

    // MARK: Membership

    private func isIn(_ node: PlanNode) -> QuickValue {
        let container = evaluate(node.b)
        let element = evaluate(node.a)
        if case .encoded(let array) = container, let isIn = isIn(element, array) { return .boolean(isIn) }
        return combined(element, container, by: .isIn)
    }

    /// Whether a plain value is in a document's list; `nil` for others, and where the list has others.
    private func isIn(_ element: QuickValue, _ list: EncodedValue) -> Bool? {
        guard element.isPlain, case .array(let elements)? = try? list.form else { return nil }
        var isIn: Bool? = false
        let isRead: Void? = try? EncodedValue.visitElements(of: elements) { other in
            isIn = isSame(element, quick(other), by: .membership)
            return isIn == false
        }
        return isRead == nil ? nil : isIn
    }
}

extension QuickValue {
    /// Whether it is null, a boolean, a number or a text, and there as it is.
    fileprivate var isPlain: Bool {
        switch self {
        case .null, .boolean, .integer, .float, .text: true
        case .failed, .encoded, .request, .user, .document, .fields, .made: false
        }
    }
}
