// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Turns the texts of records into ids, of which it remembers those met lately, so that a busy ledger looks few of them up.
struct TextInterner: Sendable {
    /// How many texts are remembered at least, once there were this many; up to twice as many are.
    static let entryCountMin = 32_768

    private var newer: [ByteText: Int64] = [:]
    private var older: [ByteText: Int64] = [:]
    private var place = 0
    /// The last text of each place of a record, and its id: from one record to the next most texts stay as they are.
    private var latest: [(text: ByteText, id: Int64)?] = []

    /// Begins with the first place of a record.
    mutating func beginRecord() { place = 0 }

    /// Returns the id of the text in the next place; `nil` for none.
    mutating func idIfAny(of text: String?, in table: TextTable) throws -> Int64? {
        if let text { return try id(of: text, in: table) }
        takePlace()
        return nil
    }

    /// Returns the id of the text in the next place.
    mutating func id(of text: String, in table: TextTable) throws -> Int64 {
        let place = takePlace()
        let bytes = ByteText(text: text)
        if let latest = latest[place], latest.text == bytes { return latest.id }
        let id = try newer[bytes] ?? remember(bytes, in: table)
        latest[place] = (bytes, id)
        return id
    }

    @discardableResult
    private mutating func takePlace() -> Int {
        if place == latest.count { latest.append(nil) }
        defer { place += 1 }
        return place
    }

    private mutating func remember(_ text: ByteText, in table: TextTable) throws -> Int64 {
        let id = try older[text] ?? table.id(of: text.text)
        if newer.count == Self.entryCountMin {
            older = newer
            newer = [:]
        }
        newer[text] = id
        return id
    }

    /// Forgets everything; for a transaction that was undone, whose ids other texts may get.
    mutating func forget() { self = Self() }
}
