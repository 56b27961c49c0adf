// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A change of an app that avoids downloads or document reads, and the document that shows it in code.
struct Refactoring: Sendable, Hashable {
    /// The document of all refactorings, from the root of the repository.
    static let document = "docs/refactorings.md"

    /// The change as a short imperative: "Load only the first image in the list".
    let summary: String
    /// How to do it, in a sentence or two.
    let advice: String
    /// The places in ``document``, the most important first.
    let anchors: [String]

    /// The first place: `docs/refactorings.md#thumbnail-field`.
    var document: String { "\(Self.document)#\(anchors[0])" }

    /// All places: `docs/refactorings.md#thumbnail-field, #second-fetch-on-open`.
    var documents: String { ([document] + anchors.dropFirst().map { "#" + $0 }).joined(separator: ", ") }
}

extension Refactoring {
    /// The change of a strategy that avoids a cause; `nil` where none is known to.
    init?(avoiding cause: DownloadCause, in strategy: Strategy) {
        switch cause {
        case .overFetched: self = .thumbnails
        case .again: self = .caching(in: strategy)
        case .oversized: self = .resizedCopies
        case .lookups: self = .downloadURLs
        case .prefetchedUnused: self = .prefetch
        case .revalidated: self = .generations
        case .needed, .aborted, .failed, .documents: return nil
        }
    }

    private static let thumbnails = Refactoring(
        summary: "Load only the first image in the list, the others when a post is opened",
        advice:
            "Keep the path of each post's first image in a field of its document, and load only that image in the list. "
            + "Load the others when the post is opened.",
        anchors: ["thumbnail-field", "second-fetch-on-open"]
    )

    private static func caching(in strategy: Strategy) -> Refactoring {
        let summary =
            switch (strategy.memory, strategy.disk) {
            case (nil, _): "Keep images in memory"
            case (_, nil): "Keep images on disk, too"
            default: "Make the caches larger"
            }
        return Refactoring(
            summary: summary,
            advice:
                "Give the image loader a cache in memory for tabs that are shown again, and one on disk for the next start of the "
                + "app, each large enough for what users come back to.",
            anchors: ["image-caches"]
        )
    }

    private static let resizedCopies = Refactoring(
        summary: "Load smaller copies in the list",
        advice:
            "Let a function or the extension Resize Images store a copy as wide as the list shows it beside each image, and load "
            + "that copy in the list.",
        anchors: ["resized-copies"]
    )

    private static let downloadURLs = Refactoring(
        summary: "Keep each image's path or URL in its document",
        advice: "Load images by a path or URL that the document has; getDownloadURL is another request for each image.",
        anchors: ["download-urls"]
    )

    private static let prefetch = Refactoring(
        summary: "Prefetch less, or not at all",
        advice: "Load beforehand only what most users open next, within a budget of bytes, and on Wi-Fi.",
        anchors: ["prefetch"]
    )

    private static let generations = Refactoring(
        summary: "Keep each image's generation in its document",
        advice: "A cached image whose document names its generation is current, and no request has to ask its server.",
        anchors: ["revalidation"]
    )

    /// The change that avoids reads of documents that a user has, unchanged.
    static let listening = Refactoring(
        summary: "Listen to lists, with persistence",
        advice:
            "Keep one listener on each list while the app runs, and turn on the SDK's persistent cache: shown again, the list "
            + "reads only what has changed.",
        anchors: ["listeners-and-persistence"]
    )
}
