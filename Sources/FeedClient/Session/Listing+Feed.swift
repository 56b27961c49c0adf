// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

// The feed's orders and filters as a session log has them.

extension SessionView.Listing {
    /// The list as messages name it.
    package var name: String {
        let filter = filter.map { " where \($0.field) is \($0.value.text)" } ?? ""
        return sort.rawValue + filter
    }
}

extension FeedRepository {
    /// Fetches a page of a list.
    package func page(
        _ listing: SessionView.Listing,
        number: Int,
        size: Int,
        after cursor: FeedCursor?
    ) async throws -> FeedPage<FeedPost> {
        try await page(
            sort: FeedSort(listing.sort),
            number: number,
            size: size,
            after: cursor,
            matching: listing.filter.map(FeedFilter.init)
        )
    }
}

extension FeedFilter {
    init(_ filter: SessionView.Filter) {
        switch filter.value {
        case .string(let text): self.init(field: filter.field, equals: .string(text))
        case .integer(let number): self.init(field: filter.field, equals: .integer(number))
        case .boolean(let flag): self.init(field: filter.field, equals: .boolean(flag))
        }
    }

    /// `nil` for one that a log does not have.
    var logged: SessionView.Filter? {
        guard comparison == .equal else { return nil }
        switch value {
        case .string(let text): return SessionView.Filter(field: field, equals: .string(text))
        case .integer(let number): return SessionView.Filter(field: field, equals: .integer(number))
        case .boolean(let flag): return SessionView.Filter(field: field, equals: .boolean(flag))
        case .double, .timestamp, .array: return nil
        }
    }
}

extension FeedQuery {
    /// `nil` for a list that a log does not have: of another collection, in another order, with other or more filters.
    func logged(pageSize: Int) -> SessionView.Listing? {
        guard collection == nil, filters.count <= 1,
            let sort = FeedSort.allCases.first(where: { orders == FeedQuery($0).orders })
        else { return nil }
        let filter = filters.first?.logged
        guard filter != nil || filters.isEmpty else { return nil }
        return SessionView.Listing(sort: sort.logged, filter: filter, pageSize: pageSize)
    }
}

extension FeedSort {
    init(_ sort: SessionView.Sort) {
        switch sort {
        case .popular: self = .popular
        case .latest: self = .latest
        }
    }

    var logged: SessionView.Sort {
        switch self {
        case .popular: .popular
        case .latest: .latest
        }
    }
}
