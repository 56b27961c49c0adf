// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The bytes of each cause by the numbers of places and images, as the many steps of a simulation add to them.
struct CauseAmounts: Sendable {
    private struct PageKey: Hashable {
        let cause: DownloadCause
        let place: Int
    }

    private struct ObjectKey: Hashable {
        let cause: DownloadCause
        let screen: Int32
        let image: Int32
    }

    private var pages: [PageKey: CauseTally.Amount] = [:]
    private var objects: [ObjectKey: CauseTally.Amount] = [:]

    /// Adds a response to a cause.
    mutating func add(_ byteCount: Int, cause: DownloadCause, object image: Int?, at place: PlaceTable.Place) {
        pages[PageKey(cause: cause, place: place.number), default: CauseTally.Amount()].add(byteCount)
        guard let image else { return }
        let key = ObjectKey(cause: cause, screen: Int32(place.screen), image: Int32(image))
        objects[key, default: CauseTally.Amount()].add(byteCount)
    }

    /// Adds everything to a tally of names.
    func add(to tally: inout CauseTally, places: PlaceTable, images: ImageTable) {
        for (key, amount) in pages { tally.add(amount, cause: key.cause, at: places.names[key.place]) }
        for (key, amount) in objects {
            tally.add(
                amount,
                cause: key.cause,
                object: images.images[Int(key.image)].reference.subject,
                onScreen: places.screens[Int(key.screen)].name
            )
        }
    }
}
