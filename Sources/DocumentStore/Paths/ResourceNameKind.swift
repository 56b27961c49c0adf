// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What a resource name is for; the refusals begin with it.
package enum ResourceNameKind: String, Sendable {
    case document = "Document name"
    case parent = "Document parent name"
    /// A reference value within a document or a query.
    case value = "Resource name"
}
