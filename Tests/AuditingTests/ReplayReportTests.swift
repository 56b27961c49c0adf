// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import Foundation
import Testing

struct ReplayReportTests {
    @Test func `the table says what the log is and what each strategy costs`() {
        let table = """
            fixtures/session.log: 3 views of 2 users
            best: thumbnails+memory+disk, 6.0x less than all-images

            strategy                requests  downloaded      wire  operations  doc reads      cache hits  1 GB/day  bytes saved
            --------------------------------------------------------------------------------------------------------------------
            all-images                 2,680    948.8 MB  950.1 MB       2,578        816      0 of 2,577    94.9 %     baseline
            all-images+memory          1,590    546.9 MB  547.7 MB       1,489        816  1,090 of 2,578    54.7 %    1.7x less
            thumbnails+memory+disk       524    157.4 MB  157.7 MB         423        816    621 of 1,043    15.7 %    6.0x less

            downloaded   bytes of bodies that the meter saw leave; wire: bytes on the sockets in both directions
            operations   Cloud Storage operations, Class A and B
            1 GB/day     share of the free downloads of one day, profile spark-2023 as of 2026-02-03

            strategy                download  class A  class B  doc reads
            -------------------------------------------------------------
            all-images              47,440 %    2.5 %  2,577 %      816 %
            all-images+memory       27,345 %    2.5 %  1,488 %      816 %
            thumbnails+memory+disk   7,870 %    2.5 %    422 %      816 %

            for 1,000 daily users who do as the log's, profile spark-2023 as of 2026-02-03
            shares       of what is free by the day, or the month and the day of it on which it runs out

            """
        #expect(SampleReport.usual.table == table)
    }

    @Test func `the table fits in 120 columns, also for a session ten times as large`() {
        let large = SampleReport.report([
            SampleReport.outcome(0, requests: 26_800, body: 9_488_000_000, reads: 8_160, misses: 25_770),
            SampleReport.outcome(4, requests: 5_240, body: 1_574_000_000, reads: 8_160, hits: 10_900, misses: 25_770),
        ])
        for line in large.table.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
        // A column has one unit: that of its largest figure.
        #expect(large.table.contains(" 9.49 GB ") && large.table.contains(" 1.57 GB "))
    }

    @Test(
        arguments: [
            (100_000_000, 200_000_000, "2.0x more"),
            (100_000_000, 50_000_000, "2.0x less"),
            (100_000_000, 100_000_000, "none"),
            (100_000_000, 0, "all"),
            (0, 100_000_000, "-"),
            (0, 0, "-"),
        ] as [(Int64, Int64, String)]
    )
    func `the saving is told against the baseline`(_ baseline: Int64, _ body: Int64, _ saving: String) {
        let report = SampleReport.report([
            SampleReport.outcome(0, requests: 1, body: baseline), SampleReport.outcome(0, requests: 1, body: body),
        ])
        let rows = report.table.split(separator: "\n").filter { $0.hasPrefix("all-images") }.prefix(2)
        #expect(rows.count == 2)
        #expect(rows[0].hasSuffix("  baseline"))
        #expect(rows[1].hasSuffix("  \(saving)"))
    }

    @Test func `the JSON is of the published schema`() throws {
        let json = """
            {
              "best" : {
                "bytes" : 100000,
                "ratioToBaseline" : 0.25,
                "strategy" : "thumbnails"
              },
              "clients" : 2,
              "log" : "fixtures/session.log",
              "profile" : {
                "asOf" : "2026-02-03",
                "name" : "spark-2023"
              },
              "schema" : "firemeter.report/1",
              "strategies" : [
            \(Self.strategy("all-images", body: 400_000, wire: 405_000, misses: 9, hits: 0, ratios: (0, 0), quota: 0.04, 1)),
            \(Self.strategy("thumbnails", body: 100_000, wire: 105_000, misses: 1, hits: 3, ratios: (0.75, 0.5), quota: 0.01, 0.25))
              ],
              "views" : 3
            }

            """
        let report = SampleReport.report([
            SampleReport.outcome(0, requests: 10, body: 400_000, misses: 9),
            SampleReport.outcome(2, requests: 10, body: 100_000, hits: 3, misses: 1),
        ])
        #expect(try report.json() == json)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
    }

    private static func strategy(
        _ name: String,
        body: Int,
        wire: Int,
        misses: Int,
        hits: Int,
        ratios: (Double, Double),
        quota: Double,
        _ ratio: Double
    ) -> String {
        """
            {
              "billed" : {
                "classA" : 1,
                "classB" : \(misses),
                "documentDeletes" : 0,
                "documentReads" : 816,
                "documentWrites" : 0,
                "egressBytes" : \(body)
              },
              "bytes" : {
                "body" : \(body),
                "wire" : \(wire)
              },
              "cache" : {
                "byteHitRatio" : \(number(ratios.1)),
                "hitRatio" : \(number(ratios.0)),
                "hits" : \(hits),
                "misses" : \(misses)
              },
              "name" : "\(name)",
              "quota" : {
                "downloadPercentPerDay" : \(number(quota)),
                "items" : {
                  "firestore.documentReads" : {
                    "percent" : 816,
                    "period" : "day",
                    "runsOutOnDay" : 1
                  },
                  "storage.classA" : {
                    "percent" : 2.5,
                    "period" : "day"
                  },
                  "storage.classB" : {
                    "percent" : \(number(Double(misses))),
                    "period" : "day"
                  },
                  "storage.egressBytes" : {
                    "percent" : \(number(Double(body) / 20_000)),
                    "period" : "day"
                  }
                }
              },
              "ratioToBaseline" : \(number(ratio)),
              "requests" : 10
            }
        """
    }

    /// Whole numbers without a point, as JSON encoders write them.
    private static func number(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }

    @Test func `a ratio to nothing is left out`() throws {
        let json = try SampleReport.report([SampleReport.outcome(0, requests: 1, body: 0)]).json()
        #expect(!json.contains("ratioToBaseline"))
        #expect(json.contains(#""hitRatio" : 0"#))
    }
}
