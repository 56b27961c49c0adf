// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SuiteFiles

@Suite struct `Progress of imports and exports` {
    @Test func `the latest things are counted`() throws {
        let meter = TransferMeter(.exporting)
        var work = TransferWork()
        meter.count(&work)
        #expect(meter.progress == TransferProgress(direction: .exporting))
        #expect(meter.progress.latestCount == 0 && meter.progress.percent == nil)
        var counts = ExportCounts()
        let steps: [(WritableKeyPath<ExportCounts, Int>, TransferProgress.Thing)] = [
            (\.users, .users), (\.documents, .documents), (\.objects, .objects),
        ]
        for (count, (thing, name)) in steps.enumerated() {
            counts[keyPath: thing] = count + 1
            try work.onProgress(counts)
            #expect(meter.progress.latest == name && meter.progress.latestCount == count + 1)
        }
        #expect(meter.progress.counts == counts)
    }

    @Test(arguments: [(0, 0), (499, 49), (500, 50), (999, 99), (1_000, 100), (1_001, 100)])
    func `the share of an import is that of its bytes`(read: Int, percent: Int) {
        let meter = TransferMeter(.importing)
        var work = TransferWork()
        meter.count(&work)
        work.onSize?(1_000)
        work.onRead(read)
        #expect(meter.progress.percent == percent)
    }

    @Test(arguments: [(1, 2, 3), (.max, 1, Int64.max), (1 << 62, 1 << 62, .max)] as [(Int64, Int64, Int64)])
    func `sizes that files only claim end at the largest number`(first: Int64, second: Int64, sum: Int64) {
        #expect(first.joined(with: second) == sum)
    }

    @Test func `work that is stopped has been counted`() {
        struct Stop: Error {}
        let meter = TransferMeter(.importing)
        var work = TransferWork()
        work.onProgress = { _ in throw Stop() }
        meter.count(&work)
        var counts = ExportCounts()
        counts.documents = 7
        #expect(throws: Stop.self) { try work.onProgress(counts) }
        #expect(meter.progress.counts.documents == 7)
    }

    @Test func `all bytes of an import are read in the end`() throws {
        let fixture = try ExportFixture()
        try fixture.writeFrame()
        for name in ["a", "b"] { try fixture.writeHello(name, name: name) }
        let meter = TransferMeter(.importing)
        var work = TransferWork()
        meter.count(&work)
        _ = try SuiteImport(fixture.path, into: [StorageImport(store: fixture.store)]).run(work)
        let progress = meter.progress
        #expect(progress.percent == 100 && progress.readByteCount == progress.totalByteCount)
    }
}
