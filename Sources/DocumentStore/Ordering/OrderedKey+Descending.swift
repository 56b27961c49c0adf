// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension OrderedKey {
    /// The key that sorts the other way round.
    var complement: OrderedKey { OrderedKey(bytes.map { ~$0 }) }

    func inOrder(_ direction: Query.Direction) -> OrderedKey {
        direction == .ascending ? self : complement
    }
}

extension KeyInterval {
    /// The interval of the complements: what begins with a bound stays on the same side of it.
    var complement: KeyInterval {
        KeyInterval(upper.complement.successor, lower.complement.successor)
    }

    func inOrder(_ direction: Query.Direction) -> KeyInterval {
        direction == .ascending ? self : complement
    }

    /// The interval of the keys with something before them.
    func prefixed(by prefix: OrderedKey) -> KeyInterval {
        KeyInterval(prefix + lower, prefix + upper)
    }
}
