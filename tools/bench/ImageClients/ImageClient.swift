// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

/// A device with an app that loads pictures in some way.
protocol ImageClient: Sendable {
    /// Shows a picture; throws what keeps it from the screen.
    func show(_ picture: Picture) async throws -> Data
    /// Shows a picture whose address never changes, the present one.
    func showUnversioned(_ picture: Picture) async throws -> Data
    /// Returns when nothing is under way any more.
    func settle() async
    /// Has uploaded a picture of its own.
    func hasUploaded(_ picture: Picture, _ data: Data) async
    func relaunch() async
    func wait(seconds: Int) async
}
