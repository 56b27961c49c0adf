// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// As measured on the official emulator (1.19.9, 2026-11); that both rules exist is recorded from production (2026-09).

extension Filter {
    /// Refuses a filter that falls apart into too many alternatives.
    func validateDisjunctions() throws {
        guard disjunctionCount > QueryLimits.disjunctionMax else { return }
        let count = NormalizedFilter(self).disjunctionCount
        guard count <= QueryLimits.disjunctionMax else { throw DocumentStoreError.tooManyDisjunctions(count) }
    }

    /// Refuses two different tests of array elements that must hold together.
    func refuseSeveralElementTests() throws {
        guard leaves.count(where: \.isOnElements) > 1 else { return }
        guard !NormalizedFilter(self).hasSeveralElementTests else { throw DocumentStoreError.severalArrayContains }
    }

    private var isOnElements: Bool { fieldOperator?.isOnElements ?? false }

    /// How many disjunctions the normal form has, at most; saturates.
    private var disjunctionCount: Int {
        switch self {
        case .or(let filters): filters.reduce(0) { $0.addingSaturating($1.disjunctionCount) }
        case .and(let filters): filters.reduce(1) { $0.multipliedSaturating(by: $1.disjunctionCount) }
        case .field(_, let operation, let operand): operation.disjunct == nil ? 1 : operation.comparands(operand).count
        case .unary: 1
        }
    }
}
