// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The extent of what a pass over the rules knows and does.
enum RulesPhase {
    /// Without any document: what depends on one is unknown.
    case withoutDocuments
    /// With all documents that rules look at.
    case withDocuments
}
