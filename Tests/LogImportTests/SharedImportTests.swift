// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SeededRandom
import SessionLog
import Testing

@testable import LogImport

/// A log that is imported in parts has the session of the whole.
struct SharedImportTests {
    private static let columns = [
        "time_micros", "c_ip", "cs_method", "cs_uri", "sc_status", "sc_bytes", "cs_user_agent", "s_request_id",
        "cs_operation", "cs_bucket", "cs_object",
    ]

    /// Rows that chance makes; some are there twice, and many of one user have one time.
    private static func rows(seed: UInt64, count: Int = 1_500) -> [String] {
        var random = SplitMix64(seed: seed)
        var (rows, time): ([String], Int64) = ([], 1_790_000_000_000_000)
        while rows.count < count {
            if !rows.isEmpty, random.integer(in: 0...30) == 0 {
                rows.append(rows[random.integer(in: 0...rows.count - 1)])
                continue
            }
            time += Int64(random.integer(in: 0...3)) * 1_000_000
            let name = "u\(random.integer(in: 0...5))/p\(random.integer(in: 0...30))/\(random.integer(in: 0...3))"
            let (status, operation) = [(200, "GET_Object"), (304, "GET_Object"), (200, "PUT_Object")][
                max(0, random.integer(in: -5...2))
            ]
            let fields = [
                "\(time)", "10.0.0.\(random.integer(in: 0...40))", "GET", "/feed/\(name)", "\(status)",
                "\(status == 200 ? 100 + random.integer(in: 0...900) : 0)", "okhttp", "id\(rows.count)", operation,
                "feed", name,
            ]
            rows.append(fields.map { "\"\($0)\"" }.joined(separator: ","))
        }
        return rows
    }

    private static func text(_ rows: some Sequence<String>) -> String {
        ([columns.map { "\"\($0)\"" }.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
    }

    /// Runs a body with a directory that is removed afterwards.
    private static func withDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    private static func whole(_ rows: [String], in folder: String, rules: InferenceRules) throws -> [String] {
        let path = "\(folder)/whole.csv"
        try text(rows).write(toFile: path, atomically: false, encoding: .utf8)
        var downloads = LoggedDownloads()
        var recent = RecentRequests()
        try LogReader(path).read(into: &downloads, recent: &recent)
        let session = try #require(try downloads.session(rules: rules))
        var lines = try lines(session.header, session.images)
        for group in 0..<session.groupCount {
            lines += try session.session(ofGroup: group).views.map { try line(.view($0)) }
        }
        return lines + ["\(downloads.passedOver)"]
    }

    private static func lines(_ header: SessionHeader, _ images: [SessionImage]) throws -> [String] {
        let downloads = header.imported?.usage?.downloads ?? []
        return try [line(.header(header))] + downloads.map { try line(.downloads($0)) }
            + images.map { try line(.image($0)) }
    }

    private static func line(_ entry: SessionEntry) throws -> String {
        String(decoding: try SessionLines([entry]).bytes, as: UTF8.self)
    }

    /// Parts as they are written and read again, added up in an order that chance says.
    private static func sum(_ parts: [ImportPart], _ random: inout SplitMix64) throws -> ImportPart {
        var rest = parts
        var sum = ImportParts()
        while !rest.isEmpty {
            let part = rest.remove(at: random.integer(in: 0...rest.count - 1))
            let text = try JSONEncoder().encode(part)
            sum.add(try JSONDecoder().decode(ImportPart.self, from: text))
        }
        #expect(sum.whole.problem == nil)
        return sum.whole
    }

    /// The frames of files of requests, in files for groups of their classes.
    private static func shareOut(_ paths: [String], groups: Int, in folder: String) throws -> [String] {
        var shared = [Data](repeating: Data(), count: groups)
        for path in paths {
            var rest = try Data(contentsOf: URL(fileURLWithPath: path))[...]
            while !rest.isEmpty {
                let head = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                let byteCount = 8 + Int(head >> 32) * 8 * Int(head >> 16 & 0xFFFF)
                shared[Int(head & 0xFFFF) % groups].append(rest.prefix(byteCount))
                rest = rest.dropFirst(byteCount)
            }
        }
        return try shared.enumerated().map { number, frames in
            let path = "\(folder)/group\(number)"
            try frames.write(to: URL(fileURLWithPath: path))
            return path
        }
    }

    @Test(arguments: [(1, 1, 1), (2, 3, 1), (3, 5, 4), (4, 2, 7), (5, 9, 2)] as [(UInt64, Int, Int)])
    func `any splits and any groups of users give the session of the whole`(
        seed: UInt64,
        splitCount: Int,
        groupCount: Int
    ) throws {
        let rows = Self.rows(seed: seed)
        var rules = InferenceRules()
        rules.openedPercent = 35
        try Self.withDirectory { folder in
            var random = SplitMix64(seed: seed)
            let cuts = [0] + (1..<splitCount).map { _ in random.integer(in: 0...rows.count) }.sorted() + [rows.count]
            var (names, files): ([ImportPart], [String]) = ([], [])
            for (number, (start, end)) in zip(cuts, cuts.dropFirst()).enumerated() where start < end {
                let path = "\(folder)/\(number).csv"
                try Self.text(rows[start..<end]).write(toFile: path, atomically: false, encoding: .utf8)
                files.append("\(folder)/\(number).requests")
                var log = try SharedLog(requests: files[files.count - 1], split: Int64(number))
                var recent = RecentRequests()
                try LogReader(path).read(into: &log, recent: &recent)
                names.append(try log.finish())
            }
            func session(_ parts: [ImportPart]) throws -> SharedImport {
                SharedImport(try Self.sum(parts, &random), layouts: [], rules: rules, sizes: nil)
            }
            let groups = try Self.shareOut(files, groups: groupCount, in: folder)
            let counts = try groups.map { try session(names).counts(of: [$0]) }
            var keyed: [String] = []
            let views = try groups.map { group in
                try session(names + counts).views(of: [group]) {
                    keyed += String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
                }
            }
            let whole = try Self.sum(names + counts + views, &random)
            let joined = try #require(
                try SharedImport(whole, layouts: [], rules: rules, sizes: nil).session()
            )
            #expect(whole.viewCount == keyed.count)
            let path = "\(folder)/views"
            try keyed.sorted().joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
            var lines = try Self.lines(joined.header, joined.images)
            let count = try KeyedViews.forEach(at: [path]) {
                lines += String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            }
            #expect(count == whole.viewCount)
            let expected = try Self.whole(rows, in: folder, rules: rules)
            #expect(lines + ["\(whole.passedOver)"] == expected)
        }
    }

    @Test func `requests of other names, and views that are not sorted, are refused`() throws {
        try Self.withDirectory { folder in
            let (log, requests, views) = ("\(folder)/log.csv", "\(folder)/requests", "\(folder)/views")
            try Self.text(Self.rows(seed: 9, count: 200)).write(toFile: log, atomically: false, encoding: .utf8)
            var shared = try SharedLog(requests: requests, split: 0)
            var recent = RecentRequests()
            try LogReader(log).read(into: &shared, recent: &recent)
            let names = try shared.finish()
            let other = SharedImport(ImportPart(), layouts: [], rules: InferenceRules(), sizes: nil)
            #expect(throws: LogImportError.self) { try other.counts(of: [requests]) }
            #expect(try other.session() == nil)
            let session = SharedImport(names, layouts: [], rules: InferenceRules(), sizes: nil)
            #expect(throws: LogImportError.self) { try session.counts(of: [log]) }
            var lines: [Substring] = []
            _ = try session.views(of: [requests]) {
                lines += String(decoding: $0, as: UTF8.self).split(separator: "\n")
            }
            let sorted = lines.sorted()
            for broken: [Substring] in [sorted.reversed(), sorted + sorted.suffix(1), ["no key"]] {
                try broken.joined(separator: "\n").write(toFile: views, atomically: false, encoding: .utf8)
                #expect(throws: LogImportError.self) { _ = try KeyedViews.forEach(at: [views]) { _ in } }
            }
        }
    }

    @Test(arguments: [
        #"{"schema":"firemeter.import-part/2"}"#,
        #"{"schema":"firemeter.import-part/1","start":9223372036854775807}"#,
        #"{"schema":"firemeter.import-part/1","objects":[[0,0,-9223372036854775808,"b","o"]]}"#,
    ])
    func `a part with absurd numbers or of another schema has a problem`(text: String) throws {
        let template = try JSONEncoder().encode(ImportPart())
        let fields = try #require(try JSONSerialization.jsonObject(with: template) as? [String: Any])
        let changed = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let whole = try JSONSerialization.data(withJSONObject: fields.merging(changed) { $1 })
        #expect(try JSONDecoder().decode(ImportPart.self, from: whole).problem != nil)
    }
}
