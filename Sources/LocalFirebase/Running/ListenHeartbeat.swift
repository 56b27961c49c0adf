// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import ServiceLifecycle

/// Sends quiet listeners the time now and then, so that their resume tokens do not grow old.
struct ListenHeartbeat: Service {
    let listening: ListenHub

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await listening.announceTime(clock: ContinuousClock())
        }
    }
}
