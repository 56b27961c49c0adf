// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Auditing

struct FigureNameTests {
    @Test(
        arguments: [
            ("bytes", "bytes.body", nil),
            ("waste.again", "waste.again", nil),
            ("ttfi_p95{strategy:disk}", "time.firstImage.p95", "disk"),
            ("bytes{view:openFeed}", "views.openFeed.bytes.body", nil),
            ("bytes{strategy:thumbnails+memory:50MB,view:scroll}", "views.scroll.bytes.body", "thumbnails+memory:50MB"),
            ("requests{view:scroll,strategy:a, b}", "views.scroll.requests", "a, b"),
        ] as [(String, String, String?)]
    )
    func `a name leads to a figure of the report's JSON`(_ text: String, _ path: String, _ strategy: String?) {
        let name = FigureName(text)
        #expect(name?.path == path)
        #expect(name?.strategy == strategy)
    }

    @Test(arguments: ["bytes{", "bytes{user:u1}", "bytes{view:lunch}", "bytes{strategy:a", "bytes{}"])
    func `braces that mean nothing are refused`(_ text: String) { #expect(FigureName(text) == nil) }

    @Test(
        arguments: [
            ("bytes.body", .bytes), ("views.openFeed.bytes.body", .bytes), ("waste.again", .bytes),
            ("wastedBytes", .bytes),
            ("billed.egressBytes", .bytes), ("billed.documentReads", .count), ("requests", .count),
            ("time.layout.p50", .milliseconds), ("views.scroll.time.complete.p95", .milliseconds),
            ("quota.downloadPercentPerDay", .percent), ("quota.items.storage.egressBytes.percent", .percent),
            ("cost.usdPerMonth", .dollars), ("cache.byteHitRatio", .ratio), ("ratioToBaseline", .ratio),
        ] as [(String, ReportColumn.Unit)]
    )
    func `the unit is that of the column`(_ path: String, _ unit: ReportColumn.Unit) {
        #expect(ReportColumn.unit(of: path) == unit)
    }
}
