// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A query over the collection of the load.
struct SampleQuery {
    enum Operator: Int {
        case greaterThanOrEqual = 4
        case equal = 5
    }

    enum Value {
        case string(String)
        case integer(Int)
        case double(Double)
    }

    var filter: (field: String, operation: Operator, value: Value)?
    var order: (field: String, isDescending: Bool)?
    var limit: Int?

    func write(collection: String, to query: inout ProtobufWriter) {
        query.message(2) { from in from.string(2, collection) }
        if let filter {
            query.message(3) { outer in
                outer.message(2) { field in
                    field.message(1) { reference in reference.string(2, filter.field) }
                    field.integer(2, filter.operation.rawValue)
                    field.message(3) { value in filter.value.write(to: &value) }
                }
            }
        }
        if let order {
            query.message(4) { entry in
                entry.message(1) { reference in reference.string(2, order.field) }
                entry.integer(2, order.isDescending ? 2 : 1)
            }
        }
        if let limit { query.message(5) { wrapper in wrapper.integer(1, limit) } }
    }
}

extension SampleQuery.Value {
    fileprivate func write(to value: inout ProtobufWriter) {
        switch self {
        case .string(let string): value.string(17, string)
        case .integer(let integer): value.integer(2, integer)
        case .double(let double): value.double(3, double)
        }
    }
}

extension Firestore {
    func runQuery(_ query: SampleQuery) -> [UInt8] {
        .protobuf { request in
            request.string(1, root)
            request.message(2) { query.write(collection: collection, to: &$0) }
        }
    }

    func count() -> [UInt8] {
        .protobuf { request in
            request.string(1, root)
            request.message(2) { aggregation in
                aggregation.message(1) { SampleQuery().write(collection: collection, to: &$0) }
                aggregation.message(3) { operation in
                    operation.message(1) { _ in }
                    operation.string(7, "count")
                }
            }
        }
    }

    func listen(_ query: SampleQuery, target: Int) -> [UInt8] {
        .protobuf { request in
            request.string(1, database)
            request.message(2) { added in
                added.message(2) { queryTarget in
                    queryTarget.string(1, root)
                    queryTarget.message(2) { query.write(collection: collection, to: &$0) }
                }
                added.integer(5, target)
            }
        }
    }
}
