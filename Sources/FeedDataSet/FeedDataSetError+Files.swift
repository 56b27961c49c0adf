// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging

extension FeedDataSetError {
    static func notFound(_ path: String) -> Self {
        Self(
            code: .notFound,
            message:
                "\(path): no such file or folder; give a feed.json, a folder that holds one, or one of owner/feed/n"
        )
    }

    static func noImages(_ path: String) -> Self {
        Self(
            code: .notFound,
            message: "\(path): holds neither a feed.json nor images as owner/feed/0, owner/feed/1 and so on"
        )
    }

    static func emptyFolder(_ path: String) -> Self {
        Self(code: .imageNotFound, message: "\(path): the folder is empty; remove it or add images")
    }

    static func unreadable(_ path: String) -> Self {
        Self(code: .unreadable, message: "\(path): cannot be read; check its permissions")
    }

    static func notRegular(_ path: String) -> Self {
        Self(code: .unreadable, message: "\(path): not a regular file; give a file, or a link to one")
    }

    static func unusableName(_ path: String) -> Self {
        Self(code: .invalid, message: "\(path): this folder's name cannot be an id; expected \(FeedIdentifier.rule)")
    }

    static func ambiguousFolders(_ path: String, documentID: String) -> Self {
        Self(code: .invalid, message: "\(path): another post is also \"\(documentID)\"; rename one of the folders")
    }

    static func notNumbered(_ path: String) -> Self {
        Self(code: .invalid, message: "\(path): not an image's number; name a post's images 0.jpg, 1.jpg and so on")
    }

    static func numberedTwice(_ path: String, other: String) -> Self {
        Self(code: .invalid, message: "\(path): has the same number as \(other); keep one of them")
    }

    static func imageNotFound(_ path: String, count: Int) -> Self {
        Self(
            code: .imageNotFound,
            message: "\(path): missing; the post's \(count) images are numbered from 0 without gaps"
        )
    }

    static func tooManyImages(_ path: String, limit: Int) -> Self {
        Self(code: .limitExceeded, message: "\(path): more than \(limit) images, the limit of a post")
    }

    static func tooManyPosts(_ path: String, limit: Int) -> Self {
        Self(code: .limitExceeded, message: "\(path): more than \(limit) posts, the limit of a feed")
    }

    static func fileTooLarge(_ path: String, byteCount: Int, limit: Int) -> Self {
        Self(code: .limitExceeded, message: "\(path): \(byteCount) bytes; the limit is \(limit)")
    }

    static func unusableImage(_ path: String, error: ImagingError) -> Self {
        Self(code: .imageUnusable, message: "\(path): \(error.message)")
    }
}
