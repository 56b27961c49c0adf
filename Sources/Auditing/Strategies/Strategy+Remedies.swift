// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

extension Strategy {
    /// The strategy's way of loading, but for what makes it download bytes for this cause; `nil` where no change is known to help.
    ///
    /// `display` is how wide images are shown; `nil` where smaller copies cannot be had.
    func avoiding(_ cause: DownloadCause, on display: DisplaySizes?) -> Strategy? {
        var better = self
        switch cause {
        case .overFetched:
            guard mode == .allImages else { return nil }
            better.mode = .thumbnails
        case .oversized:
            guard let fitting = display?.thumbnailVariant, showsMore(than: fitting) else { return nil }
            better.mode = .thumbnails
            better.thumbnails = .resized(fitting)
        case .again: better.keepMore()
        case .prefetchedUnused: better.prefetchByteCountMax = nil
        case .revalidated: better.revalidates = false
        case .lookups: better.looksUpURLs = false
        case .needed, .aborted, .failed, .documents: return nil
        }
        better.name = better.text
        return better == self ? nil : better
    }

    /// The strategy's way of loading with all that is known to help, whatever it downloads; `nil` where it has all of it.
    func avoidingAll(on display: DisplaySizes?) -> Strategy? {
        let causes: [DownloadCause] = [.overFetched, .oversized, .prefetchedUnused, .revalidated, .lookups]
        var better = causes.reduce(self) { $0.avoiding($1, on: display) ?? $0 }
        better.joinsRequests = true
        better.memory = better.memory ?? Cache(byteCountMax: Self.memoryByteCountMaxDefault)
        better.disk = better.disk ?? Cache(byteCountMax: Self.diskByteCountMaxDefault)
        better.name = better.text
        return better.nameless == nameless ? nil : better
    }

    /// The strategy with the fewest document reads that shows no list older than it is.
    package var listening: Strategy {
        var better = self
        better.listReading = .persistence(ageMax: nil)
        better.name = better.text
        return better
    }

    /// Whether the list loads more pixels than such copies have.
    private func showsMore(than copy: ResizedVariant) -> Bool {
        switch thumbnails {
        case .whole: true
        case .resized(let variant): variant.pixelWidth > copy.pixelWidth
        // Its opened posts are what is oversized.
        case .prefix: false
        }
    }

    /// A strategy without a cache gets one in memory; then on disk, too; then more of them.
    private mutating func keepMore() {
        joinsRequests = true
        guard let inMemory = memory else {
            memory = Cache(byteCountMax: Self.memoryByteCountMaxDefault)
            return
        }
        guard let onDisk = disk else {
            disk = Cache(byteCountMax: Self.diskByteCountMaxDefault)
            return
        }
        memory?.byteCountMax = max(inMemory.byteCountMax, Self.memoryByteCountMaxDefault)
        disk?.byteCountMax = max(2 * onDisk.byteCountMax, Self.diskByteCountMaxDefault)
        disk?.ageMax = nil
    }
}
