// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The contents of a session log, without its requests: the steps to replay.
package struct SessionLog: Sendable, Hashable {
    /// The longest line that is read or written, without its line break.
    package static let lineByteCountMax = 1 << 20

    /// The first line.
    package let header: SessionHeader
    /// The users' steps in the order of the file.
    package let views: [SessionView]
    /// The images of a third-party log.
    package let images: [SessionImage]
    /// The number of metered requests.
    package let requestCount: Int
    /// The lines of types this version does not know.
    package let skippedLineCount: Int

    /// Creates a log of views.
    package init(
        header: SessionHeader,
        views: [SessionView],
        images: [SessionImage] = [],
        requestCount: Int = 0,
        skippedLineCount: Int = 0
    ) {
        self.images = images
        self.header = header
        self.views = views
        self.requestCount = requestCount
        self.skippedLineCount = skippedLineCount
    }

    /// Whether a file begins as logs do, compressed or not; false for one that cannot be read.
    package static func isLog(_ path: String) -> Bool {
        guard let file = try? GunzippedFile(path), let start = try? file.nextChunk(upTo: 2) else { return false }
        return start == Array("{\"".utf8)
    }

    /// Reads a log to its end, keeping the images, and the views that are wanted.
    package static func load(
        _ path: String,
        keeping isKept: (SessionView) -> Bool = { _ in true }
    ) throws(SessionLogError) -> Self {
        let reader = try SessionLogReader(path)
        var contents = SessionContents(of: reader.header)
        while let entry = try reader.next() {
            if case .view(let view) = entry, !isKept(view) { continue }
            contents.take(entry)
        }
        return contents.log(skippedLineCount: reader.skippedLineCount)
    }

    /// The log with other views.
    package func with(views: [SessionView]) -> Self {
        Self(
            header: header,
            views: views,
            images: images,
            requestCount: requestCount,
            skippedLineCount: skippedLineCount
        )
    }
}

/// The contents of a log while it is read, without its requests.
package struct SessionContents {
    private let firstLine: SessionHeader
    private let viewCountMax: Int
    private var views: [SessionView] = []
    /// The images so far.
    package private(set) var images: [SessionImage] = []
    private var downloads: [SessionDownloads] = []
    private var requestCount = 0
    /// The number of views so far; those of a log that has more than the most are not held.
    package private(set) var viewCount = 0

    /// Begins with nothing behind the header.
    package init(of header: SessionHeader, viewCountMax: Int = .max) {
        (firstLine, self.viewCountMax) = (header, viewCountMax)
    }

    /// The header, with the downloads of the lines so far.
    package var header: SessionHeader {
        var header = firstLine
        if !downloads.isEmpty { header.imported?.usage?.downloads = downloads }
        return header
    }

    /// Takes in a line behind the header.
    package mutating func take(_ entry: SessionEntry) {
        switch entry {
        case .view(let view):
            viewCount += 1
            if viewCount <= viewCountMax { views.append(view) } else { views = [] }
        case .image(let image): images.append(image)
        case .downloads(let line): downloads.append(line)
        case .request: requestCount += 1
        case .retraction: requestCount -= 1
        case .part, .recording, .document, .object: break
        case .header, .unknown: preconditionFailure("the reader passes over them")
        }
    }

    /// The log; without its views where they are too many.
    package func log(skippedLineCount: Int) -> SessionLog {
        SessionLog(
            header: header,
            views: views,
            images: images,
            requestCount: requestCount,
            skippedLineCount: skippedLineCount
        )
    }
}
