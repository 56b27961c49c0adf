// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog
import Testing

@testable import Auditing

/// Over 1.6 Mbit/s with 150 ms of round trip: 780 ms to the first byte of a host that is new, 180 of one that is known, and
/// 200 bytes in each further millisecond.
@Suite struct SimulatedLinkTests {
    private static let network = Network(name: "n", downBitsPerSecond: 1_600_000, roundTrip: 150_000_000)

    /// A step with the query of a page, whose response has a number of bytes, its head included.
    private func query(_ byteCount: Int) -> SimulatedStep {
        let empty = SessionView.List(name: "l", page: 0, byteCount: 0, documentReads: 0)
        let head = ExchangeCost(FeedCatalog.Exchange(empty)).answerByteCount
        var list = empty
        list.byteCount = Int64(byteCount - head)
        return SimulatedStep(query: ExchangeCost(FeedCatalog.Exchange(list)))
    }

    private func image(_ index: Int, _ source: SimulatedStep.Source, _ byteCount: Int) -> SimulatedStep.Delivery {
        var delivery = SimulatedStep.Delivery(image: index, key: index, source: source, byteCount: byteCount)
        if source == .network { delivery.exchange = exchange(byteCount) }
        return delivery
    }

    private func exchange(_ byteCount: Int) -> SimulatedStep.Delivery.Exchange {
        SimulatedStep.Delivery.Exchange(number: 0, answerByteCount: byteCount)
    }

    /// Layout, first image and all of it, in milliseconds.
    private func milliseconds(_ time: ViewTime?) -> [Int64?] {
        [time?.layout, time?.firstImage, time?.complete].map { $0.map { ($0 + 500_000) / 1_000_000 } }
    }

    @Test func `a page is laid out when its documents are there, and its images come from where they are`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails"))
        var step = query(10_000)
        step.shown = [image(0, .network, 12_000), image(1, .network, 12_000)]
        // 780 + 50; then another host: 780 + 24,000 bytes, of which the second window needs not wait.
        #expect(milliseconds(link.times(of: step, at: 0)) == [830, 830 + 900, 830 + 900])
        // Both hosts are known now, and 10,000 bytes fit into a first window.
        step.shown = [image(2, .memory, 9), image(3, .disk, 1 << 20), image(4, .disk, 1 << 20)]
        #expect(milliseconds(link.times(of: step, at: 20_000_000_000)) == [230, 230, 230 + 2 * 28])
    }

    @Test func `cells that wait for their images are laid out last`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails+layout-last"))
        var step = query(10_000)
        step.shown = [image(0, .network, 12_000), image(1, .memory, 12_000)]
        #expect(milliseconds(link.times(of: step, at: 0)) == [1670, 1670, 1670])
    }

    @Test func `the address of an image is asked for before the image`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails+url-lookups"))
        var step = SimulatedStep()
        let image = image(1, .network, 12_000)
        step.lookups = [SimulatedStep.Lookup(image: 1, exchange: exchange(1_000))]
        step.shown = [image]
        #expect(milliseconds(link.times(of: step, at: 0)) == [nil, 785 + 240, 785 + 240])
    }

    @Test func `what is loaded beforehand holds up the next view, not its own`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails+prefetch:1MB"))
        var step = SimulatedStep()
        step.shown = [image(0, .network, 10_000)]
        step.prefetched = [image(1, .network, 200_000)]
        #expect(milliseconds(link.times(of: step, at: 0)) == [nil, 830, 830])
        let next = SimulatedStep(shown: [image(2, .network, 10_000)])
        let time = try #require(milliseconds(link.times(of: next, at: 1_000_000_000))[2])
        // The prefetch ends 830 + 180 + 1000 ms after the first touch: a view that begins at 1,000 ms waits for it.
        #expect(time == 180 + 50)
    }

    @Test func `a step that asks for nothing takes no time`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails"))
        #expect(link.times(of: SimulatedStep(), at: 0) == nil)
    }

    @Test func `after quitting the app names and connections are new`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails"))
        let step = SimulatedStep(shown: [image(0, .network, 1_000)])
        #expect(milliseconds(link.times(of: step, at: 0))[2] == 785)
        #expect(milliseconds(link.times(of: step, at: 2_000_000_000))[2] == 185)
        link.close()
        #expect(milliseconds(link.times(of: step, at: 4_000_000_000))[2] == 785)
    }

    @Test func `percentiles are of the views that were so long at most`() {
        var histogram = TimeHistogram()
        #expect(histogram.milliseconds(atPercent: 50) == nil)
        for milliseconds in 1...100 as ClosedRange<Int64> { histogram.add(milliseconds * 1_000_000) }
        for (percent, expected) in [(50, 50.0), (95, 95), (100, 100), (1, 1)] as [(Int64, Double)] {
            let time = histogram.milliseconds(atPercent: percent) ?? 0
            #expect(time >= expected && time < expected * 1.001)
        }
    }
}
