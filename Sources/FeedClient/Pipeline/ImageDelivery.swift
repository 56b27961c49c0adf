// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One image of a batch, or why it did not come.
public struct ImageDelivery: Sendable {
    /// The image's place in the batch.
    public let index: Int
    /// The encoded image.
    public let result: Result<Data, FeedError>
}
