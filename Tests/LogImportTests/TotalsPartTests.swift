// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import SeededRandom
import TestSupport
import Testing

@testable import LogImport

struct TotalsPartTests {
    private struct Row {
        let id: String
        var status = 200
        var bytes: Int64? = 10
        var client = "a"
        var object = "u/p/0"
        var operation = LoggedOperation.download
    }

    /// Rows that chance makes, some of them with an id of a row before.
    private static func rows(_ count: Int, seed: UInt64) -> [Row] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { number in
            let isRepeated = number > 0 && generator.integer(in: 0...9) == 0
            let id = isRepeated ? generator.integer(in: 0...number - 1) : number
            var content = SplitMix64(seed: UInt64(id))
            return Row(
                id: "r\(id)",
                status: content.integer(in: 0...1) == 0 ? 200 : 304,
                bytes: content.integer(in: 0...5) == 0 ? nil : Int64(content.integer(in: 0...500)),
                client: "c\(content.integer(in: 0...6))",
                object: "u/p/\(content.integer(in: 0...4))",
                operation: content.integer(in: 0...3) == 0 ? .list : .download
            )
        }
    }

    private static func totals(
        _ rows: [Row],
        by property: LogGrouping.Property?,
        ids: String? = nil
    ) throws -> LogTotals {
        var batch = RequestBatch(hasNames: true)
        for row in rows {
            var text = RequestText()
            let (id, client, object) = (text.append(row.id), text.append(row.client), text.append(row.object))
            text.withRequest { request in
                request.setID(id)
                request.setClient(address: client)
                request.object = object
                request.status = row.status
                request.byteCount = row.bytes
                request.operation = row.operation
                batch.take(request)
            }
        }
        var totals = LogTotals(by: property)
        if let ids { try totals.noteIDs(in: ids) }
        var recent = RecentRequests()
        try batch.take(to: &totals, recent: &recent)
        try totals.finish()
        return totals
    }

    private static func text(_ totals: LogTotals) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(TotalsPart(totals, of: [])), as: UTF8.self)
            + "\(totals.groups.map(\.name)) \(totals.byStatus) \(totals.byOperation)"
    }

    @Test(arguments: [nil, .object, .user, .operation] as [LogGrouping.Property?])
    func `parts with what takes duplicates back are the whole, in any order`(by: LogGrouping.Property?) throws {
        let folder = TemporaryDirectory()
        let rows = Self.rows(900, seed: 3)
        let whole = try Self.totals(rows, by: by)
        var generator = SplitMix64(seed: 8)
        for round in 0..<4 {
            var duplicates = LogDuplicates(by: by)
            var parts: [LogTotals] = []
            for (number, start) in stride(from: 0, to: rows.count, by: 300).enumerated() {
                let ids = folder.file("\(round)-\(number)")
                parts.append(try Self.totals(Array(rows[start..<start + 300]), by: by, ids: ids))
                try duplicates.take(ids)
            }
            parts.append(try duplicates.corrections())
            while parts.count > 1 {
                // Written and read in between, as from one machine to another.
                let written = try JSONEncoder().encode(
                    TotalsPart(parts.remove(at: generator.integer(in: 0...parts.count - 1)), of: [])
                )
                let part = try JSONDecoder().decode(TotalsPart.self, from: written).totals(from: "part")
                parts[generator.integer(in: 0...parts.count - 1)].add(part)
            }
            #expect(try Self.text(parts[0]) == Self.text(whole))
        }
    }

    @Test func `which groups are shown of too many does not depend on the order`() {
        let names = (0..<500).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
        func grouping(_ hashes: some Sequence<UInt64>) -> LogGrouping {
            var grouping = LogGrouping(.user, countMax: 100)
            for hash in hashes { grouping.add(Int64(hash % 1_000), to: (hash, nil)) }
            return grouping
        }
        let whole = grouping(names)
        var parts = grouping(names[250...].reversed())
        parts.add(grouping(names[..<250]))
        #expect(parts.written.groups == whole.written.groups)
        #expect(parts.written.others == whole.written.others)
        #expect(whole.written.groups.count == 100)
        #expect(whole.written.others.requestCount == 400)
        #expect(Set(whole.written.groups.keys) == Set(names.sorted().prefix(100)))
    }

    @Test(
        arguments: [
            #""schema":"firemeter.totals-part/2""#, #""duplicates":9999999999999999"#,
            #""statuses":{"1000":{"requests":1,"bytes":1}}"#,
            #""first":2,"last":1"#, #""first":2"#,
        ]
    )
    func `absurd parts are refused`(member: String) throws {
        let zero = #"{"classA":0,"classB":0,"documentDeletes":0,"documentReads":0,"documentWrites":0,"egressBytes":0}"#
        let sound = """
            {\(member),"schema":"firemeter.totals-part/1","logs":[],"operations":{},"namedOperations":{},"statuses":{},\
            "duplicates":0,"cached":0,"sizeless":0,"otherHosts":0,"storage":\(zero),"firestore":\(zero)}
            """
        // Of two members of a name, the first counts.
        let part = try JSONDecoder().decode(TotalsPart.self, from: Data(sound.utf8))
        #expect(throws: LogImportError.self) { try part.totals(from: "part") }
    }

    @Test func `what is no file of ids is refused`() throws {
        let folder = TemporaryDirectory()
        try folder.write(Array("no ids at all".utf8), to: "text")
        _ = try Self.totals(Self.rows(10, seed: 1), by: .user, ids: folder.file("grouped"))
        for name in ["text", "grouped"] {
            var duplicates = LogDuplicates(by: nil)
            #expect(throws: LogImportError.self) { try duplicates.take(folder.file(name)) }
        }
    }
}
