// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Sums numbers; other values count for nothing.
///
/// Integers are summed exactly, doubles with compensation for what rounding loses, as the official emulator does
/// (measured on 1.19.9, 2026-11).
struct NumberSum {
    private var count = 0
    private var integers = IntegerSum()
    /// `nil` as long as there was no double.
    private var doubles: DoubleSum?

    /// Takes a field's value.
    mutating func add(_ value: Value?) {
        switch value {
        case .integer(let number): integers.add(number)
        case .double(let number): doubles = (doubles ?? DoubleSum()).adding(number)
        case nil, .null, .boolean, .timestamp, .string, .bytes, .reference, .geoPoint, .array, .vector, .map: return
        }
        count += 1
    }

    /// An integer if all numbers are and their sum is in range; 0 for no numbers.
    var total: Value {
        guard doubles == nil, let exact = integers.exact else { return .double(approximate) }
        return .integer(exact)
    }

    /// Null for no numbers.
    var average: Value { count == 0 ? .null : .double(approximate / Double(count)) }

    private var approximate: Double { integers.approximate + (doubles?.total ?? 0) }
}

/// A sum of integers that may leave their range and come back.
private struct IntegerSum {
    private var low: Int64 = 0
    /// How often the sum has left the range upwards, less how often downwards.
    private var carry = 0

    mutating func add(_ number: Int64) {
        let (sum, hasOverflown) = low.addingReportingOverflow(number)
        low = sum
        if hasOverflown { carry += number > 0 ? 1 : -1 }
    }

    var exact: Int64? { carry == 0 ? low : nil }

    var approximate: Double { Double(carry) * 0x1p64 + Double(low) }
}

/// A sum of doubles by Kahan's method.
private struct DoubleSum {
    var sum = 0.0
    var compensation = 0.0
    /// The sum without compensation, which infinities need.
    var simple = 0.0

    func adding(_ number: Double) -> DoubleSum {
        let compensated = number - compensation
        let next = sum + compensated
        return DoubleSum(sum: next, compensation: (next - sum) - compensated, simple: simple + number)
    }

    var total: Double {
        let compensated = sum - compensation
        return compensated.isNaN ? simple : compensated
    }
}
