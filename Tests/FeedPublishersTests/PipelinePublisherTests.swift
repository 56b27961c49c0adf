// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import FeedPublishers
import Foundation
import Imaging
import SessionLog
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@Suite(.timeLimit(.minutes(5))) struct PipelinePublisherTests {
    private static let objects = ["o/a/0": Data("a".utf8), "o/b/0": Data("b".utf8)]

    @Test func `publishes an image, or why it failed`() async throws {
        let pipeline = try FakeStorage(objects: Self.objects).makePipeline()
        let (values, failure) = await events(of: pipeline.imagePublisher(for: reference("a"), priority: .high))
        #expect(values == [Data("a".utf8)] && failure == nil)
        let missing = await events(of: pipeline.imagePublisher(for: reference("gone")))
        #expect(missing.values.isEmpty && missing.failure?.status == 404)
    }

    @Test func `publishes each image of a batch as it comes, and goes on after one that fails`() async throws {
        let (opened, opens) = AsyncStream.makeStream(of: Void.self)
        var storage = FakeStorage(objects: Self.objects)
        // The first is answered when the last has been published.
        storage.gate = { name in if name == "o/a/0" { for await _ in opened { break } } }
        let pipeline = try storage.makePipeline()
        let (deliveries, delivers) = AsyncStream.makeStream(of: ImageDelivery.self)
        let subscription = pipeline.imagesPublisher(for: ["a", "gone", "b"].map { reference($0) }).sink { _ in
            delivers.finish()
        } receiveValue: { delivery in
            if delivery.index == 2 { opens.yield() }
            delivers.yield(delivery)
        }
        var order: [Int] = []
        for await delivery in deliveries {
            order.append(delivery.index)
            switch delivery.result {
            case .success(let data): #expect(data == Data(delivery.index == 0 ? "a".utf8 : "b".utf8))
            case .failure(let error): #expect(delivery.index == 1 && error.status == 404)
            }
        }
        subscription.cancel()
        #expect(order == [1, 2, 0] || order == [2, 1, 0] || order == [2, 0, 1])
    }

    @Test func `publishes all posters at once, in order, without images that failed`() async throws {
        let pipeline = try FakeStorage(objects: Self.objects).makePipeline()
        let references = ["b", "gone", "a"].map { reference($0) }
        let (values, _) = await events(of: pipeline.postersPublisher(for: references))
        #expect(values.map { $0.map(\.reference) } == [[references[0], references[2]]])
    }

    enum Kind: CaseIterable {
        case image, images, posters

        /// The publisher, without its values.
        func publisher(_ pipeline: ImagePipeline) -> AnyPublisher<Void, FeedError> {
            switch self {
            case .image: pipeline.imagePublisher(for: reference("a")).map { _ in }.eraseToAnyPublisher()
            case .images:
                pipeline.imagesPublisher(for: [reference("a")]).map { _ in }
                    .setFailureType(to: FeedError.self).eraseToAnyPublisher()
            case .posters:
                pipeline.postersPublisher(for: [reference("a")]).map { _ in }
                    .setFailureType(to: FeedError.self).eraseToAnyPublisher()
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `loads for each subscriber and not before, and a cancelled one abandons its load`(kind: Kind) async throws {
        let (arrived, arrives) = AsyncStream.makeStream(of: Void.self)
        let (left, leaves) = AsyncStream.makeStream(of: Void.self)
        var storage = FakeStorage(objects: Self.objects)
        storage.gate = { _ in
            arrives.yield()
            while !Task.isCancelled { await Task.yield() }
            leaves.yield()
            throw CancellationError()
        }
        let publisher = kind.publisher(try storage.makePipeline())
        for _ in 0..<100 { await Task.yield() }
        #expect(storage.requestCount.withLock { $0 } == 0)
        let sent = Locked(0)
        var (arrivals, departures) = (arrived.makeAsyncIterator(), left.makeAsyncIterator())
        for round in 1...2 {
            let subscription = publisher.sink { _ in
                sent.withLock { $0 += 1 }
            } receiveValue: {
                sent.withLock { $0 += 1 }
            }
            _ = await arrivals.next()
            #expect(storage.requestCount.withLock { $0 } == round)
            subscription.cancel()
            _ = await departures.next()
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(sent.withLock { $0 } == 0)
    }
}
