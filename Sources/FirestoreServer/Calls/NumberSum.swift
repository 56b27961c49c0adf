// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// Sums numbers; other values count for nothing.
struct NumberSum {
    private var count = 0
    /// `nil` once there was a double or the sum left the range of integers: then the sum is a double.
    private var exact: Int64? = 0
    private var approximate = 0.0

    /// Takes a field's value.
    mutating func add(_ value: Value?) {
        switch value {
        case .integer(let number):
            let sum = exact?.addingReportingOverflow(number)
            exact = sum.flatMap { $0.overflow ? nil : $0.partialValue }
            approximate += Double(number)
        case .double(let number):
            exact = nil
            approximate += number
        default:
            return
        }
        count += 1
    }

    /// An integer as long as that is exact; 0 for no numbers.
    var total: Value { exact.map { .integer($0) } ?? .double(approximate) }

    /// Null for no numbers.
    var average: Value {
        count == 0 ? .null : .double((exact.map(Double.init) ?? approximate) / Double(count))
    }
}
