// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// QI query-limits.
extension Recorded {
    private static func limit(
        _ step: String,
        parent: String = "",
        _ filter: String,
        orderBy: String = "",
        _ message: String
    ) -> Recorded {
        Recorded("query-limits/\(step)", "\(parent):runQuery", query(#","where":\#(filter)\#(orderBy)"#), message)
    }

    static func numbers(_ count: Int) -> String {
        let values = (0..<count).map { #"{"integerValue":"\#($0)"}"# }
        return #"{"arrayValue":{"values":[\#(values.joined(separator: ","))]}}"#
    }

    static func all(_ operation: String, _ filters: [String]) -> String {
        #"{"compositeFilter":{"op":"\#(operation)","filters":[\#(filters.joined(separator: ","))]}}"#
    }

    static func equalities(_ count: Int) -> [String] {
        (0..<count).map { field("e\($0)", "EQUAL", one) }
    }

    private static func tooMany(_ count: Int) -> String {
        """
        Too many disjunctions after normalization. Result had \(count) disjunctions which is more than the maximum of 30
        """
    }

    private static func terms(_ filters: Int, _ orders: Int, _ ancestor: String) -> String {
        """
        The query may not have more than 100 filters + sort orders + ancestor total. \
        Currently there are \(filters) filters, \(orders) sort orders, and \(ancestor) ancestor filter.
        """
    }

    static let limits = [
        limit("in-31", field("a", "IN", numbers(31)), "'IN' supports up to 30 comparison values."),
        limit(
            "any-31",
            field("a", "ARRAY_CONTAINS_ANY", numbers(31)),
            "'ARRAY_CONTAINS_ANY' supports up to 30 comparison values."
        ),
        limit("not-in-11", field("a", "NOT_IN", numbers(11)), "'NOT_IN' supports up to 10 comparison values."),
        limit("or-31", all("OR", equalities(31)), tooMany(31)),
        limit("in-30-or-one", all("OR", [field("a", "IN", numbers(30)), field("b", "EQUAL", one)]), tooMany(31)),
        limit(
            "in-16-and-in-2",
            all("AND", [field("a", "IN", numbers(16)), field("b", "IN", numbers(2))]),
            tooMany(32)
        ),
        limit(
            "in-11-and-any-3",
            all("AND", [field("a", "IN", numbers(11)), field("b", "ARRAY_CONTAINS_ANY", numbers(3))]),
            tooMany(33)
        ),
        limit(
            "inequality-fields-11 (production lists them in another order)",
            all("AND", (0..<11).map { field("f\($0)", "GREATER_THAN", one) }),
            """
            The query contains 11 distinct inequality fields: [f0, f1, f10, f2, f3, f4, f5, f6, f7, f8, f9]. \
            A query may not have more than 10 distinct inequality fields.
            """
        ),
        limit("equalities-101", all("AND", equalities(101)), terms(101, 0, "no")),
        limit(
            "equalities-100-order",
            all("AND", equalities(100)),
            orderBy: #","orderBy":[{"field":{"fieldPath":"n"}}]"#,
            terms(100, 1, "no")
        ),
        limit("equalities-100-ancestor", parent: "/p/d", all("AND", equalities(100)), terms(100, 0, "one")),
        limit(
            "leaves-101",
            all("OR", [all("AND", equalities(50)), all("AND", equalities(51))]),
            terms(101, 0, "no")
        ),
    ]
}
