// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The dimensions of a rollup's rows; the raw values are stored.
enum RollupDimension: Int64, CaseIterable {
    case object = 1
    case feed = 2
    case user = 3
    case client = 4
    case operation = 5
    case query = 6
    case service = 7
    case bucket = 8
    case database = 9
    case collection = 10
    case variant = 11
    case cache = 12
    case status = 13
    case outcome = 14

    /// The dimension with the fewest values, over which totals are summed.
    static let smallest = Self.service

    /// Returns the value of a record in this dimension; the empty text where it has none.
    func key(_ keys: RecordKeys) -> Int64 {
        let key: Int64? =
            switch self {
            case .object: keys.object
            case .feed: keys.feed
            case .user: keys.user
            case .client: keys.client
            case .operation: keys.operation
            case .query: keys.query
            case .service: keys.service
            case .bucket: keys.bucket
            case .database: keys.database
            case .collection: keys.collection
            case .variant: keys.variant
            case .cache: keys.cache
            case .status: keys.status
            case .outcome: keys.abortCause ?? keys.outcome
            }
        return key ?? TextTable.emptyID
    }
}

extension UsageDimension {
    /// The dimension that has the sums; `nil` for tags, which every row has.
    var rollup: RollupDimension? {
        switch self {
        case .object: .object
        case .feed: .feed
        case .user: .user
        case .client: .client
        case .operation: .operation
        case .query: .query
        case .service: .service
        case .bucket: .bucket
        case .database: .database
        case .collection: .collection
        case .variant: .variant
        case .cache: .cache
        case .status: .status
        case .outcome: .outcome
        case .tag: nil
        }
    }
}
