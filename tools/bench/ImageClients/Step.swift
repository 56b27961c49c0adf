// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A step of a scripted session; pictures are named by their numbers.
enum Step: Sendable, Hashable {
    /// All of them are looked at until they are there.
    case show([Int])
    /// One is asked for, and left when a number of KiB have come.
    case glance(Int, kibibyteCount: Int)
    /// A picture whose address never changes is looked at; a view must show the present one.
    case showUnversioned(Int)
    /// The app is quit and started again.
    case relaunch
    /// Time passes.
    case wait(seconds: Int)
    /// The owner replaces the picture; the document has its new generation and token.
    case replace(Int)
    /// The download token is revoked and another one made; the picture is the same.
    case changeToken(Int)
    /// The user uploads a picture, which is then in the feed.
    case upload(Int)
}

/// A session that every client goes through.
struct Script: Sendable {
    let name: String
    let pictureByteCounts: [Int]
    /// The users' steps, each with a device of its own.
    let users: [[Step]]
}
