// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts (recorded 2026-09).
extension CallError {
    static let aggregationQueryMissing = invalid("Only structured aggregation queries are supported.")

    static let aggregationMissing = invalid("Aggregations can not be empty.")

    static func aliasRepeated(_ alias: String) -> Self {
        invalid("Aggregation aliases contain duplicate alias: \(alias).")
    }

    static func aliasReserved(_ alias: String) -> Self {
        invalid("The property.name \"\(alias)\" is reserved.")
    }

    static let aliasTooLong = invalid(
        "The property.name is longer than \(AggregationFold.aliasByteCountMax) bytes."
    )

    static func aggregationCount(_ count: Int) -> Self {
        let limit = AggregationFold.aggregationCountMax
        return invalid(
            "The maximum number of aggregations allowed in an aggregation query is \(limit). Received: \(count)",
            details: [
                .info(
                    reason: "TOO_MANY_AGGREGATIONS",
                    metadata: ["actual_aggregations": "\(count)", "max_aggregations": "\(limit)"]
                )
            ]
        )
    }

    static let aggregationUnknown = invalid("Operator field in Aggregation is not set.")

    static let aggregationOfName = invalid("Aggregations are not supported for the property: __key__")

    static let upToNegative = invalid(
        "The `up_to` value in a COUNT aggregation must be greater than or equal to zero."
    )
}
