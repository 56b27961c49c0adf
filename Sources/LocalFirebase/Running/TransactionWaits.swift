// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import ServiceLifecycle

/// Lets commits wait for transactions until the emulator stops.
///
/// From then on clients begin no more calls, so that they cannot end the transactions waited for.
struct TransactionWaits: Service {
    let transactions: TransactionManager

    func run() async {
        // Throws when it is cancelled, which stops the emulator, too.
        try? await gracefulShutdown()
        transactions.stopWaiting()
    }
}
