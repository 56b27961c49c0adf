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

/// Which images the list of the feed loads.
public enum FeedMode: String, Sendable, Hashable, CaseIterable {
    /// The list loads every image of every post; opening a post loads nothing more.
    case allImages
    /// The list loads image 0 of every post; opening a post loads the others.
    case thumbnails

    /// The images that the list loads of each post.
    package var listed: ImageSet { self == .allImages ? .full : .thumbnail }

    /// The images to load when a post is opened; `nil` where the list has loaded it all.
    package func opened(_ thumbnails: ThumbnailForm) -> ImageSet? {
        switch self {
        case .allImages: nil
        case .thumbnails: thumbnails == .whole ? .rest : .full
        }
    }
}
