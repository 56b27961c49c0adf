// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Requests in their order, read block by block.
package protocol RequestTrace: Sendable {
    /// Reads the next requests into a block, which may be none; false at the end.
    mutating func read(_ block: inout TraceBlock) throws -> Bool
}
