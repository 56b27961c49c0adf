// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension JSONText {
    /// Keeps what a client wants.
    ///
    /// Of a list, each element is kept with what is wanted of it; a member that is wanted for members of its own, but has
    /// none, is left out.
    package func selecting(_ selector: FieldSelector) -> JSONText {
        selected(by: selector) ?? self
    }

    private func selected(by selector: FieldSelector) -> JSONText? {
        guard !selector.isEverything else { return self }
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { name, value in
                    selector.member(name).flatMap(value.selected).map { (name, $0) }
                }
            )
        case .array(let elements): return .array(elements.compactMap { $0.selected(by: selector) })
        case .verbatim: return self
        case .string, .integer, .number, .boolean: return nil
        }
    }
}
