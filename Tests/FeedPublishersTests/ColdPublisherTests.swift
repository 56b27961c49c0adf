// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import FeedPublishers
import Foundation
import SessionLog
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@Suite(.timeLimit(.minutes(5))) struct ColdPublisherTests {
    private struct Failure: Error, Equatable {}

    @Test func `begins to work when somebody subscribes, once for each`() async {
        let runs = Locked(0)
        let publisher = ColdPublisher<Int, Never> {
            runs.withLock { count in
                count += 1
                return count
            }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(runs.withLock { $0 } == 0)
        #expect(await events(of: publisher).values == [1])
        #expect(await events(of: publisher).values == [2])
    }

    @Test func `sends the failure of its work`() async {
        let publisher = ColdPublisher<Int, Failure> { () async throws(Failure) in throw Failure() }
        let (values, failure) = await events(of: publisher)
        #expect(values.isEmpty)
        #expect(failure == Failure())
    }

    @Test func `is cancelled with its subscription, and sends nothing then`() async {
        let (began, begins) = AsyncStream.makeStream(of: Void.self)
        let (ended, ends) = AsyncStream.makeStream(of: Bool.self)
        let sent = Locked(0)
        let publisher = ColdPublisher<Int, Never> {
            begins.yield()
            while !Task.isCancelled { await Task.yield() }
            ends.yield(true)
            return 1
        }
        let subscription = publisher.sink { _ in
            sent.withLock { $0 += 1 }
        } receiveValue: { _ in
            sent.withLock { $0 += 1 }
        }
        for await _ in began { break }
        subscription.cancel()
        for await isCancelled in ended {
            #expect(isCancelled)
            break
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(sent.withLock { $0 } == 0)
    }

    @Test func `sends as many values as are asked for, and finishes after the last`() async {
        let subscriber = FrugalSubscriber<Int>()
        ColdPublisher(values: {
            AsyncStream { values in
                for value in 0..<5 { values.yield(value) }
                values.finish()
            }
        }).subscribe(subscriber)
        var events = subscriber.events.makeAsyncIterator()
        var expected: [Int] = []
        for count in [1, 2] {
            subscriber.request(count)
            for _ in 0..<count {
                guard let value = await events.next() ?? nil else {
                    Issue.record("ended after \(expected)")
                    return
                }
                expected.append(value)
            }
            // Further values are there, but are not asked for.
            for _ in 0..<100 { await Task.yield() }
            #expect(subscriber.values == expected)
        }
        subscriber.request(2)
        for value in 3..<5 { #expect(await events.next() == value) }
        #expect(await events.next() == .some(nil))
        #expect(subscriber.values == Array(0..<5))
    }

    @Test(arguments: [0, 2])
    func `abandons its stream with the subscription, also while a value waits`(valueCount: Int) async {
        let (ended, ends) = AsyncStream.makeStream(of: Bool.self)
        let subscriber = FrugalSubscriber<Int>()
        let (began, begins) = AsyncStream.makeStream(of: Void.self)
        ColdPublisher(values: {
            AsyncStream { values in
                values.onTermination = { ends.yield($0 == .cancelled) }
                for value in 0..<valueCount { values.yield(value) }
                begins.yield()
            }
        }).subscribe(subscriber)
        subscriber.request(1)
        for await _ in began { break }
        if valueCount > 0 { for await _ in subscriber.events { break } }
        subscriber.cancel()
        for await isCancelled in ended {
            #expect(isCancelled)
            break
        }
        #expect(subscriber.values.count == min(valueCount, 1))
    }

    @Test func `publishes what the files' store does`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("publishers-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try ImageFileStore(directory: directory)
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let (ids, refusal) = await events(of: store.savePublisher(png))
        #expect(ids.isEmpty)
        guard case .invalidData = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        let missing = UUID()
        guard case .failedRead(missing, _) = await events(of: store.loadPublisher(missing)).failure else {
            Issue.record("found an image that is not there")
            return
        }
        #expect(await events(of: store.deletePublisher(missing)).failure == nil)
        let joined = await events(of: store.illustratePublisher([1, 2], placeholder: png) { _ in nil })
        #expect(joined.values.first?.map(\.record) == [1, 2])
    }
}
