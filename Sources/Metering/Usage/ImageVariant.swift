// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which of the forms of an image an object is, by its name.
public enum ImageVariant: String, Sendable, Hashable, Codable, CaseIterable {
    /// The image that a list shows of a post, `owner/feed/0`.
    case thumbnail
    /// Any other image of a post, `owner/feed/1` and on.
    case full
    /// A smaller copy of any image, `name_200x200.jpg`, as the Firebase extension Resize Images makes it.
    case resized

    /// Returns `nil` for a name that denotes none of them.
    public init?(objectName: String) {
        let lastSegment = objectName.lastIndex(of: "/").map { objectName[$0...].dropFirst() } ?? objectName[...]
        if ImageFileName(lastSegment).isResized {
            self = .resized
        } else if let image = FeedImagePath(objectName: objectName) {
            self = image.index == 0 ? .thumbnail : .full
        } else {
            return nil
        }
    }
}
