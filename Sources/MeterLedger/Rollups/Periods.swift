// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Gives out the periods that rollups sum over: stretches of recording, each within a minute and between two marks.
///
/// Later periods have larger ids, so what was recorded after a mark is what lies in the periods behind the mark's.
struct Periods {
    /// The period of everything, whenever it was.
    static let all: Int64 = 0
    /// How many minutes are open at once; records of others begin a period again.
    static let openCountMax = 64

    /// The last period that was given out; all for none.
    private(set) var last: Int64
    private var open: [Int64: Int64] = [:]
    /// The periods given out that are not stored yet, and their minutes since the Unix epoch.
    private(set) var unstored: [(id: Int64, minute: Int64)] = []

    /// Begins behind a period.
    init(after last: Int64) {
        self.last = last
    }

    /// Returns the period of a record that began then.
    mutating func period(ofMicroseconds microseconds: Int64) -> Int64 {
        let minute = Self.minute(ofMicroseconds: microseconds)
        if let period = open[minute] { return period }
        if open.count == Self.openCountMax { open.removeAll() }
        last += 1
        open[minute] = last
        unstored.append((last, minute))
        return last
    }

    /// Ends all periods: what is recorded from now on lies behind them.
    mutating func close() { open.removeAll() }

    /// Those given out so far are stored.
    mutating func stored() { unstored.removeAll() }

    private static func minute(ofMicroseconds microseconds: Int64) -> Int64 {
        let (minute, rest) = microseconds.quotientAndRemainder(dividingBy: 60_000_000)
        return rest < 0 ? minute - 1 : minute
    }
}
