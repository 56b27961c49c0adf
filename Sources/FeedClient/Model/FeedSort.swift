// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The tabs of the feed.
public enum FeedSort: String, Sendable, Hashable, CaseIterable {
    /// By likes, most first.
    case popular
    /// By time, newest first.
    case latest

    var fieldPath: String {
        switch self {
        case .popular: "likes"
        case .latest: "createdAt"
        }
    }
}
