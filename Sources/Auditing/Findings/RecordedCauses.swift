// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LogImport
import SessionLog

/// Why the bytes of a recorded log were downloaded, and for which screens, by the meanings of ``CauseAttribution``.
struct RecordedCauses: Sendable, Hashable {
    private(set) var tally = CauseTally()
    /// The usage of screens, without views and caches, which requests do not show.
    private(set) var screens: [String: ScreenUsage] = [:]

    /// Takes the downloads of a log whose users have screens of a size.
    init(_ downloads: RecordedDownloads, on display: DisplaySizes) {
        for part in downloads.parts { add(part, on: display) }
    }

    private mutating func add(_ part: SessionDownloads, on display: DisplaySizes) {
        // Words of later versions have no cause here: their bytes count as those that no view explains.
        guard let cause = RecordedCause(rawValue: part.cause) else { return }
        let place = CauseTally.Place(part.place)
        let byteCount = Int(part.byteCount)
        if let cause = DownloadCause(unconditionally: cause) {
            tally.add(byteCount, responseCount: part.responseCount, cause: cause, object: part.object, at: place)
        } else {
            tally.addShown(
                byteCount,
                responseCount: part.responseCount,
                pixelWidth: part.pixelWidth ?? 0,
                isInList: cause == .listed,
                on: display,
                object: part.object,
                at: place
            )
        }
        screens[place.screen, default: ScreenUsage()].add(part)
    }
}

extension DownloadCause {
    /// The cause of all bytes; `nil` where it depends on the pixels of the place.
    fileprivate init?(unconditionally cause: RecordedCause) {
        switch cause {
        case .listed, .opened: return nil
        case .overFetched: self = .overFetched
        case .again: self = .again
        case .revalidated: self = .revalidated
        case .aborted: self = .aborted
        case .failed: self = .failed
        case .documents: self = .documents
        }
    }
}

extension ScreenUsage {
    fileprivate mutating func add(_ part: SessionDownloads) {
        requestCount += part.responseCount
        byteCount += part.byteCount
        documentReads += part.documentReads
    }
}
