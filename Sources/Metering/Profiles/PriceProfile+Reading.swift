// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON

extension PriceProfile {
    /// The schema that this version reads.
    static let schema = "firemeter.profile/1"

    /// Reads a profile from JSON text.
    ///
    /// - Throws: ``ProfileError`` with the line of what is wrong; an unknown key is wrong, too.
    public init(reading text: [UInt8]) throws(ProfileError) {
        let json: LocatedJSON
        do throws(JSONError) {
            json = try LocatedJSON(parsing: text)
        } catch {
            throw ProfileError(line: LocatedJSON.line(of: error, in: text), message: error.message)
        }
        let reader = ProfileReader(json)
        try reader.only(["schema", "name", "title", "asOf", "resetZone", "overQuota", "charges"])
        guard try reader.string("schema") == Self.schema else {
            throw reader.error("schema", message: "this version reads '\(Self.schema)' only")
        }
        name = try reader.string("name")
        title = try reader.string("title")
        asOf = try reader.day("asOf")
        guard let zone = TimeZone(identifier: try reader.string("resetZone")) else {
            throw reader.error("resetZone", message: "is no time zone, such as America/Los_Angeles")
        }
        resetZone = zone
        overQuota = try reader.choice("overQuota")
        charges = try reader.elements("charges") { (reader) throws(ProfileError) in try Charge(reader) }
        for (index, charge) in charges.enumerated() where charges[..<index].contains(where: { $0.item == charge.item })
        {
            throw reader.error("charges", message: "'\(charge.item.rawValue)' has a price before", element: index)
        }
    }
}

extension Charge {
    fileprivate init(_ reader: ProfileReader) throws(ProfileError) {
        try reader.only(["item", "free", "prices", "asOf", "certainty", "source"])
        item = try reader.choice("item")
        let isBytes = item.isBytes
        free = try reader.nested("free") { (reader) throws(ProfileError) in try FreeAmount(reader, isBytes: isBytes) }
        prices = try reader.elements("prices") { (reader) throws(ProfileError) in try Price(reader, isBytes: isBytes) }
        asOf = try reader.day("asOf")
        certainty = try reader.choice("certainty")
        source = try reader.string("source")
        try Self.checkStretches(prices, reader: reader)
    }

    private static func checkStretches(_ prices: [Price], reader: ProfileReader) throws(ProfileError) {
        var end: Int64 = 0
        for (index, price) in prices.enumerated() {
            let isLast = index == prices.count - 1
            guard isLast == (price.upTo == nil) else {
                throw reader.error("prices", message: "'upTo' must be in every price but the last", element: index)
            }
            guard let upTo = price.upTo else { continue }
            guard upTo > end else { throw reader.error("prices", message: "'upTo' must grow", element: index) }
            end = upTo
        }
    }
}

extension Charge.FreeAmount {
    fileprivate init(_ reader: ProfileReader, isBytes: Bool) throws(ProfileError) {
        try reader.only(["amount", "per"])
        amount = try reader.amount("amount", isBytes: isBytes)
        period = try reader.choice("per")
    }
}

extension Charge.Price {
    fileprivate init(_ reader: ProfileReader, isBytes: Bool) throws(ProfileError) {
        try reader.only(["usd", "per", "upTo"])
        usd = try reader.decimal("usd")
        per = try reader.amount("per", isBytes: isBytes)
        upTo = reader["upTo"] == nil ? nil : try reader.amount("upTo", isBytes: isBytes)
    }
}
