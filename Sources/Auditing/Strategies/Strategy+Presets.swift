// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Strategy {
    /// The origin's first version: it loads every image of every post and keeps none.
    package static let baseline = preset("all-images")

    /// The way from the origin's first version to its last, in its order; the first is the baseline.
    package static let presets = [
        baseline,
        preset("all-images+memory"),
        preset("thumbnails"),
        preset("thumbnails+memory"),
        preset("thumbnails+memory+disk"),
    ]

    /// The teams' code before and after their refactorings.
    ///
    /// `feed`: thumbnails and two caches. `posters`: images one after the other, then concurrently. `layout`: pages that waited
    /// for all their images, then cells that are laid out by the sizes in their documents.
    package static let named = [
        preset("feed-before", "all-images"),
        preset("feed-after", "thumbnails+memory+disk"),
        preset("posters-before", "thumbnails+concurrency:1"),
        preset("posters-after", "thumbnails+concurrency:6"),
        preset("layout-before", "thumbnails+disk+concurrency:1+layout-last"),
        preset("layout-after", "thumbnails+memory+disk"),
    ]

    /// Finds a preset by its name, or reads the strategy that the text describes.
    package init(_ text: String) throws(StrategyError) {
        if let preset = Self.named.first(where: { $0.name == text }) {
            self = preset
        } else {
            self = try StrategyParser(text).parse()
        }
    }

    private static func preset(_ name: String, _ text: String? = nil) -> Strategy {
        guard var strategy = try? StrategyParser(text ?? name).parse() else {
            preconditionFailure("the preset \(name) ships, and its text is right")
        }
        strategy.name = name
        return strategy
    }
}
