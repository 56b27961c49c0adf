// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How far two vectors are from each other.
package enum VectorDistance: String, Sendable, CaseIterable {
    case euclidean = "EUCLIDEAN"
    /// One minus the cosine of the angle between them.
    case cosine = "COSINE"
    /// The product itself, of which more is nearer.
    case dotProduct = "DOT_PRODUCT"

    /// Both vectors must have as many components.
    package func callAsFunction(_ left: [Double], _ right: [Double]) -> Double {
        switch self {
        case .euclidean: zip(left, right).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        case .cosine: 1 - product(left, right) / (product(left, left) * product(right, right)).squareRoot()
        case .dotProduct: product(left, right)
        }
    }

    /// Whether the first of two distances is the nearer one.
    package func isNearer(_ left: Double, than right: Double) -> Bool {
        self == .dotProduct ? left > right : left < right
    }

    private func product(_ left: [Double], _ right: [Double]) -> Double {
        zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
