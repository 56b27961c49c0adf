// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Metering
import Testing

@testable import Auditing

/// Over 1.6 Mbit/s with 150 ms of round trip: 780 ms to the first byte of a host that is new, 180 of one that is known, and
/// 200 bytes in each further millisecond.
@Suite struct SimulatedLinkTests {
    private static let network = Network(name: "n", downBitsPerSecond: 1_600_000, roundTrip: 150_000_000)

    /// A request whose response has a number of bytes, its head included.
    private func exchange(_ byteCount: Int) throws -> FeedCatalog.Exchange {
        let response = TransportResponse(status: 200, body: Data())
        let request = TransportRequest(method: "GET", url: SimulatedEndpoint.storage)
        let empty = FeedCatalog.Exchange(
            request,
            answer: FirebaseAnswer(response: response, byteCount: 0, billed: .zero)
        )
        let body = byteCount - SimulationTally.responseHeadByteCount(of: empty)
        return FeedCatalog.Exchange(
            request,
            answer: FirebaseAnswer(response: response, byteCount: body, billed: .zero)
        )
    }

    private func image(
        _ index: Int,
        _ source: SimulatedPipeline.Source,
        _ byteCount: Int
    ) throws
        -> SimulatedPipeline.Delivery
    {
        SimulatedPipeline.Delivery(
            ImageReference(bucket: "b", owner: "o", feed: "f", index: index, generation: 1),
            source: source,
            byteCount: byteCount,
            key: "\(index)",
            exchange: source == .network ? try exchange(byteCount) : nil
        )
    }

    /// Layout, first image and all of it, in milliseconds.
    private func milliseconds(_ time: ViewTime?) -> [Int64?] {
        [time?.layout, time?.firstImage, time?.complete].map { $0.map { ($0 + 500_000) / 1_000_000 } }
    }

    @Test func `a page is laid out when its documents are there, and its images come from where they are`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails"))
        var step = SimulatedClient.Step(query: try exchange(10_000))
        step.shown = [try image(0, .network, 12_000), try image(1, .network, 12_000)]
        // 780 + 50; then another host: 780 + 24,000 bytes, of which the second window needs not wait.
        #expect(milliseconds(link.times(of: step, at: 0)) == [830, 830 + 900, 830 + 900])
        // Both hosts are known now, and 10,000 bytes fit into a first window.
        step.shown = [try image(2, .memory, 9), try image(3, .disk, 1 << 20), try image(4, .disk, 1 << 20)]
        #expect(milliseconds(link.times(of: step, at: 20_000_000_000)) == [230, 230, 230 + 2 * 28])
    }

    @Test func `cells that wait for their images are laid out last`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails+layout-last"))
        var step = SimulatedClient.Step(query: try exchange(10_000))
        step.shown = [try image(0, .network, 12_000), try image(1, .memory, 12_000)]
        #expect(milliseconds(link.times(of: step, at: 0)) == [1670, 1670, 1670])
    }

    @Test func `the address of an image is asked for before the image`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails+url-lookups"))
        var step = SimulatedClient.Step()
        let image = try image(1, .network, 12_000)
        step.lookups = [SimulatedClient.Lookup(reference: image.reference, exchange: try exchange(1_000))]
        step.shown = [image]
        #expect(milliseconds(link.times(of: step, at: 0)) == [nil, 785 + 240, 785 + 240])
    }

    @Test func `what is loaded beforehand holds up the next view, not its own`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails+prefetch:1MB"))
        var step = SimulatedClient.Step()
        step.shown = [try image(0, .network, 10_000)]
        step.prefetched = [try image(1, .network, 200_000)]
        #expect(milliseconds(link.times(of: step, at: 0)) == [nil, 830, 830])
        let next = SimulatedClient.Step(shown: [try image(2, .network, 10_000)])
        let time = try #require(milliseconds(link.times(of: next, at: 1_000_000_000))[2])
        // The prefetch ends 830 + 180 + 1000 ms after the first touch: a view that begins at 1,000 ms waits for it.
        #expect(time == 180 + 50)
    }

    @Test func `a step that asks for nothing takes no time`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails"))
        #expect(link.times(of: SimulatedClient.Step(), at: 0) == nil)
    }

    @Test func `after quitting the app names and connections are new`() throws {
        var link = SimulatedLink(Self.network, strategy: try Strategy("thumbnails"))
        let step = SimulatedClient.Step(shown: [try image(0, .network, 1_000)])
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
