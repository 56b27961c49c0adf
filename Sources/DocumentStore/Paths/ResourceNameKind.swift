// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The kind of a resource name; the refusals begin with it.
package enum ResourceNameKind: String, Sendable {
    case document = "Document name"
    /// Also of reference values in queries, which production reads as parents (recorded 2026-09).
    case parent = "Document parent name"
}
