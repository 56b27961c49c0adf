// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CProcessMemory
import Foundation

/// The C library's treatment of freed memory.
///
/// By default each thread frees into an arena of its own, up to eight for each core, and every large buffer that is freed
/// raises the size up to which buffers come from these. A server then keeps more than half as much freed memory as it
/// uses (43 of 110 MB after eight minutes of mixed calls, measured in 2026-11).
enum FreedMemory {
    /// Buffers from this size on are given back to the system when they are freed: large documents, bodies and messages,
    /// but not what a part of a result (256 KiB) or a batch of 500 small writes takes with room to grow.
    private static let mappedByteCountMin: CInt = 640 << 10
    /// Freed memory at the end of an arena that is kept.
    private static let keptByteCountMax: CInt = 1 << 20

    /// Gives back what is freed; called before the servers' threads begin.
    static func giveBack() {
        // Fewer hold up threads that work at the same time.
        let arenaCount = CInt(max(4, ProcessInfo.processInfo.activeProcessorCount))
        firemeter_give_back_freed_memory(arenaCount, mappedByteCountMin, keptByteCountMax)
    }
}
