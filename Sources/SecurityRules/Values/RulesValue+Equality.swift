// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The ways in which the language compares values.
enum Sameness {
    /// `==`: a number of either kind equals the other, but not within lists and maps.
    case equality
    /// `in` of a list: the kinds of numbers differ.
    case membership
    /// Within lists and maps that are compared: the zeros differ, too.
    case inner
    /// In sets and differences of maps, to any depth: 1 is 1.0, and NaN is NaN.
    case loose

    /// How the elements of what is compared are compared.
    fileprivate var ofElements: Sameness { self == .loose ? .loose : .inner }
}

extension RulesValue {
    func isSame(as other: RulesValue, by sameness: Sameness) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.float(let left), .float(let right)): left.isSame(as: right, by: sameness)
        case (.integer(let left), .float(let right)), (.float(let right), .integer(let left)):
            (sameness == .equality || sameness == .loose) && Double(left) == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.duration(let left), .duration(let right)): left == right
        case (.latLng(let left), .latLng(let right)):
            left.latitude.bitPattern == right.latitude.bitPattern
                && left.longitude.bitPattern == right.longitude.bitPattern
        case (.path(let left), .path(let right)): left.isSame(as: right)
        case (.vector(let left), .vector(let right)): left == right
        case (.list(let left), .list(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.isSame(as: $1, by: sameness.ofElements) }
        case (.set(let left), .set(let right)):
            left.elements.count == right.elements.count && left.elements.allSatisfy(right.contains)
        case (.map(let left), .map(let right)): left.isSame(as: right, by: sameness.ofElements)
        // A difference of maps equals none.
        default: false
        }
    }
}

extension Double {
    fileprivate func isSame(as other: Double, by sameness: Sameness) -> Bool {
        switch sameness {
        case .equality, .membership: self == other
        case .inner: bitPattern == other.bitPattern && !isNaN
        case .loose: self == other || (isNaN && other.isNaN)
        }
    }
}

extension RulesMap {
    fileprivate func isSame(as other: RulesMap, by sameness: Sameness) -> Bool {
        let (left, right) = (entries, other.entries)
        return left.count == right.count
            && left.allSatisfy { key, value in
                right[key]?.isSame(as: value, by: sameness) ?? false
            }
    }
}

extension RulesPath {
    /// A path with a capture that nothing is bound to is not the same as any.
    fileprivate func isSame(as other: RulesPath) -> Bool {
        guard let names, let otherNames = other.names else { return false }
        return names.hasSameBytes(as: otherNames)
    }
}
