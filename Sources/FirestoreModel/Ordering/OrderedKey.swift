// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Bytes whose order is the order of the values they encode: a value, or several one after the other.
///
/// Equal values have equal keys, and no value's key is the beginning of another's. So the keys that begin with a
/// given one are exactly those in `key..<key.successor`.
package struct OrderedKey: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Above every key.
    static let upperLimit = OrderedKey([0xFF])

    /// The least key above all that begin with this one.
    package var successor: OrderedKey {
        guard let last = bytes.lastIndex(where: { $0 != 0xFF }) else { return .upperLimit }
        var successor = Array(bytes[...last])
        successor[last] += 1
        return OrderedKey(successor)
    }

    package func hasPrefix(_ prefix: OrderedKey) -> Bool {
        bytes.starts(with: prefix.bytes)
    }

    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    package static func + (lhs: OrderedKey, rhs: OrderedKey) -> OrderedKey {
        OrderedKey(lhs.bytes + rhs.bytes)
    }
}

extension OrderedKey: Comparable {
    package static func < (lhs: OrderedKey, rhs: OrderedKey) -> Bool {
        lhs.bytes.withUnsafeBytes { left in
            rhs.bytes.withUnsafeBytes { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
                    return left.count < right.count
                }
                let order = memcmp(leftStart, rightStart, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }
}

extension OrderedKey {
    /// The key that sorts the other way round.
    var complement: OrderedKey { OrderedKey(bytes.map { ~$0 }) }

    package func inOrder(_ direction: Query.Direction) -> OrderedKey {
        direction == .ascending ? self : complement
    }
}

extension KeyInterval {
    /// The interval of the complements: what begins with a bound stays on the same side of it.
    var complement: KeyInterval {
        KeyInterval(upper.complement.successor, lower.complement.successor)
    }

    package func inOrder(_ direction: Query.Direction) -> KeyInterval {
        direction == .ascending ? self : complement
    }

    /// The interval of the keys with something before them.
    package func prefixed(by prefix: OrderedKey) -> KeyInterval {
        KeyInterval(prefix + lower, prefix + upper)
    }
}
