// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// One user's app during a replay.
struct ReplayClient {
    let session: FeedSession
    let pipeline: ImagePipeline
    let transport: CountingTransport
    let tape: TapingTransport
    let clock: VirtualClock
    let strategy: Strategy
    let bucket: String

    /// Takes a step of the log at its time; `number` is that of its view there.
    func perform(_ view: SessionView, at microseconds: Int64, number: Int) async throws {
        // Users' views are in the order of their times, but a log may be written by hand.
        clock.advance(by: .microseconds(max(0, microseconds - clock.microseconds())))
        let screen: FeedScreen
        do {
            screen = try await session.perform(view.action)
            if let skipped = screen.skipped.first { throw skipped.error }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AuditError.viewFailed(number, client: view.client, error: error)
        }
        guard screen.failedImageCount == 0 else {
            throw AuditError.imagesFailed(
                screen.failedImageCount,
                status: tape.lastRefusal,
                strategy: strategy,
                step: number,
                client: view.client
            )
        }
        if view.action.showsList { await prefetch(screen.posts) }
        // An image is delivered before the caches have it: time must not pass in between.
        await pipeline.finishTurn()
    }

    func add(to counts: inout ClientCounts) async {
        counts.add(transport.counts)
        counts.add(await pipeline.statistics)
    }

    private func prefetch(_ posts: [FeedPost]) async {
        guard let opened = strategy.opened, let byteCountMax = strategy.prefetchByteCountMax else { return }
        let references = strategy.references(to: opened, of: posts, in: bucket)
        await ImagePrefetcher(pipeline: pipeline, byteCountMax: byteCountMax).prefetch(references)
    }
}
