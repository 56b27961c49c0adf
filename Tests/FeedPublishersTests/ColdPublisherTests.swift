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

    /// The values of a publisher, until it ends.
    private func events<Output: Sendable, Failure: Error>(
        of publisher: ColdPublisher<Output, Failure>
    ) async -> (values: [Output], failure: Failure?) {
        let (results, sends) = AsyncStream.makeStream(of: Result<Output, Failure>.self)
        let subscription = publisher.sink { completion in
            if case .failure(let error) = completion { sends.yield(.failure(error)) }
            sends.finish()
        } receiveValue: { value in
            sends.yield(.success(value))
        }
        var values: [Output] = []
        var failure: Failure?
        for await result in results {
            switch result {
            case .success(let value): values.append(value)
            case .failure(let error): failure = error
            }
        }
        subscription.cancel()
        return (values, failure)
    }

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
