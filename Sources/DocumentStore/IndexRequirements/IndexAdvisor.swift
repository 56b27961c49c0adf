// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel
import NIOConcurrencyHelpers

/// Knows which indexes an app has defined, and notes those its queries would need besides.
package final class IndexAdvisor: Sendable {
    /// More different needs than this are not noted.
    package static let needCountMax = 1_000

    /// A query's need, and how often it was met with.
    package struct Need: Sendable {
        package let database: DatabaseID
        package let index: MissingIndex
        package var queryCount: Int
    }

    private struct Key: Hashable {
        let database: DatabaseID
        let index: MissingIndex
    }

    private let others: IndexConfiguration
    private let named: [String: IndexConfiguration]
    /// Whether a query without its index is refused, as production does.
    private let isRequired: Bool
    private let counts = NIOLockedValueBox<[Key: Int]>([:])

    /// Creates an advisor.
    ///
    /// - Parameters:
    ///   - others: The indexes of all databases but those that have some apart.
    ///   - named: The indexes of databases, by their names.
    ///   - isRequired: Whether a query without its index is refused, as production does.
    package init(
        _ others: IndexConfiguration = .automatic,
        ofDatabases named: [String: IndexConfiguration] = [:],
        isRequired: Bool = false
    ) {
        (self.others, self.named) = (others, named)
        self.isRequired = isRequired
    }

    /// Notes what a query needs.
    ///
    /// - Throws: `FirestoreError` (failed precondition) where indexes are required and one is missing.
    package func admit(
        _ query: Query,
        in database: DatabaseID,
        aggregating aggregated: [FieldPath] = [],
        nearest: NearestSearch? = nil
    ) throws {
        let requirements = IndexRequirement.requirements(of: query, aggregating: aggregated, nearest: nearest)
        let configuration = named[database.database] ?? others
        guard let missing = requirements.lazy.compactMap({ configuration.missingIndex(for: $0) }).first else { return }
        note(Key(database: database, index: missing))
        if isRequired { throw missing.refusal(in: database) }
    }

    /// Every need so far, the most frequent first.
    package var needs: [Need] {
        counts.withLockedValue(\.self)
            .map { Need(database: $0.key.database, index: $0.key.index, queryCount: $0.value) }
            .sorted { left, right in
                left.queryCount == right.queryCount
                    ? left.index.configurationEntry < right.index.configurationEntry
                    : left.queryCount > right.queryCount
            }
    }

    /// The configurations, by the names of their databases; that of all others is under `nil`.
    package var configurations: [String?: IndexConfiguration] {
        Dictionary(uniqueKeysWithValues: named.map { ($0.key as String?, $0.value) } + [(nil, others)])
    }

    private func note(_ key: Key) {
        counts.withLockedValue { counts in
            guard counts[key] != nil || counts.count < Self.needCountMax else { return }
            counts[key, default: 0] += 1
        }
    }
}
