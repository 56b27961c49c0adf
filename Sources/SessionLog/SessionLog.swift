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
        var views: [SessionView] = []
        var images: [SessionImage] = []
        var requestCount = 0
        while let entry = try reader.next() {
            switch entry {
            case .view(let view): if isKept(view) { views.append(view) }
            case .image(let image): images.append(image)
            case .request: requestCount += 1
            case .retraction: requestCount -= 1
            case .part, .recording, .document, .object: break
            case .header, .unknown: preconditionFailure("the reader passes over them")
            }
        }
        return Self(
            header: reader.header,
            views: views,
            images: images,
            requestCount: requestCount,
            skippedLineCount: reader.skippedLineCount
        )
    }
}
