// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// One user's app during a replay.
struct ReplayClient {
    let session: FeedSession
    let pipeline: ImagePipeline
    let transport: CountingTransport

    /// Takes a step of the log; `step` is its number there.
    func perform(_ view: SessionView, step: Int) async throws {
        let screen: FeedScreen
        do {
            screen = try await session.perform(view.action)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AuditError.viewFailed(step, client: view.client, error)
        }
        guard screen.failedImageCount == 0 else {
            throw AuditError.imagesFailed(screen.failedImageCount, step: step, client: view.client)
        }
    }

    func add(to counts: inout ClientCounts) async {
        counts.add(transport.counts)
        counts.add(await pipeline.statistics)
    }
}
