// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FeedClient
import Metering

/// Reads a strategy as people write it: `thumbnails+memory:50MB:sieve+disk:200MB:7d`.
///
/// The images to fetch come first; parts are joined by `+`, their settings follow after `:` in any order.
struct StrategyParser {
    private let text: String
    private let parts: [StrategyPiece]

    /// The parts that may follow what is fetched, with their settings.
    static let partNames = [
        "memory", "disk", "prefetch", "listen", "persistence", "page", "concurrency", "no-joining", "http1", "http2",
        "url-lookups",
        "revalidate", "layout-last",
    ]

    init(_ text: String) {
        self.text = text
        parts = StrategyPiece(text: text, start: 0).split(by: "+")
    }

    func parse() throws(StrategyError) -> Strategy {
        var strategy = try fetching(parts[0])
        var seen: Set<String> = []
        for part in parts.dropFirst() {
            let pieces = part.split(by: ":")
            let name = pieces[0]
            guard Self.partNames.contains(name.text) else {
                let meant = Self.partNames.word(similarTo: name.text).map { "; did you mean '\($0)'?" }
                throw error(
                    name,
                    message: "is not a part of a strategy" + (meant ?? "; expected one of " + Self.list(Self.partNames))
                )
            }
            guard seen.insert(name.text).inserted else { throw error(name, message: "is there before") }
            try apply(name, settings: Array(pieces.dropFirst()), to: &strategy)
        }
        if seen.isSuperset(of: ["http1", "http2"]) {
            throw error(parts[0], message: "cannot come over both http1 and http2", of: text)
        }
        if seen.isSuperset(of: ["listen", "persistence"]) {
            throw error(parts[0], message: "has both listen and persistence, which listens too", of: text)
        }
        return strategy
    }

    /// The images to fetch: the first part.
    private func fetching(_ part: StrategyPiece) throws(StrategyError) -> Strategy {
        let pieces = part.split(by: ":")
        switch pieces[0].text {
        case "all-images":
            try refuseSettings(pieces)
            return Strategy(name: text, mode: .allImages)
        case "thumbnails":
            var strategy = Strategy(name: text, mode: .thumbnails)
            if pieces.count > 1 {
                strategy.thumbnails = .resized(
                    try variant(try only(pieces[0], settings: Array(pieces.dropFirst()), example: "200x200"))
                )
            }
            return strategy
        case "progressive":
            var strategy = Strategy(name: text, mode: .thumbnails)
            let settings = Array(pieces.dropFirst())
            strategy.thumbnails = .prefix(
                byteCount: settings.isEmpty
                    ? Strategy.prefixByteCountDefault
                    : try byteCount(try only(pieces[0], settings: settings, example: "64kB"))
            )
            return strategy
        default:
            let presets = Self.list(Strategy.named.map(\.name))
            let first = ["all-images", "thumbnails", "progressive"] + Strategy.named.map(\.name)
            let meant = first.word(similarTo: pieces[0].text).map { "; did you mean '\($0)'?" }
            throw error(
                part,
                message:
                    "is not something to fetch"
                    + (meant
                        ?? "; a strategy begins with all-images, thumbnails or progressive, or is one of the presets \(presets)")
            )
        }
    }

    /// The greatest sides of a smaller copy, `200x200`.
    private func variant(_ piece: StrategyPiece) throws(StrategyError) -> ResizedVariant {
        let sides = piece.text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy(Strategy.variantSides.contains) else {
            throw error(piece, message: "is no size of a smaller copy; expected one such as 200x200")
        }
        return ResizedVariant(pixelWidth: sides[0], pixelHeight: sides[1])
    }

    private func refuseSettings(_ pieces: [StrategyPiece]) throws(StrategyError) {
        guard pieces.count > 1 else { return }
        throw error(pieces[1], message: "means nothing here; \(pieces[0].text) has no settings")
    }

    private func apply(
        _ name: StrategyPiece,
        settings: [StrategyPiece],
        to strategy: inout Strategy
    ) throws(StrategyError) {
        switch name.text {
        case "memory":
            strategy.memory = try cache(name, settings: settings, byteCountMax: Strategy.memoryByteCountMaxDefault)
        case "disk":
            strategy.disk = try cache(name, settings: settings, byteCountMax: Strategy.diskByteCountMaxDefault)
        case "prefetch":
            strategy.prefetchByteCountMax = try byteCount(try only(name, settings: settings, example: "2MB"))
        case "page":
            strategy.pageSize = try count(
                try only(name, settings: settings, example: "8"),
                in: 1...FeedRepository.pageSizeMax
            )
        case "persistence": strategy.listReading = .persistence(ageMax: try age(name, settings: settings))
        case "concurrency":
            strategy.concurrentLoadCountMax = try count(try only(name, settings: settings, example: "6"), in: 1...64)
        default:
            try refuseSettings([name] + settings)
            applyFlag(name.text, to: &strategy)
        }
    }

    /// How old documents may be that are shown without asking; `nil` where it is not said.
    private func age(_ name: StrategyPiece, settings: [StrategyPiece]) throws(StrategyError) -> Duration? {
        guard !settings.isEmpty else { return nil }
        let piece = try only(name, settings: settings, example: "1h")
        guard let age = Self.duration(piece.text) else {
            throw error(piece, message: "is no age; expected one such as 15min, 6h or 7d")
        }
        return age
    }

    private func applyFlag(_ name: String, to strategy: inout Strategy) {
        switch name {
        case "no-joining": strategy.joinsRequests = false
        case "listen": strategy.listReading = .listen
        case "http2": strategy.httpVersion = .http2
        case "url-lookups": strategy.looksUpURLs = true
        case "revalidate": strategy.revalidates = true
        case "layout-last": strategy.waitsForImages = true
        default: strategy.httpVersion = .http1
        }
    }

    private func cache(
        _ name: StrategyPiece,
        settings: [StrategyPiece],
        byteCountMax: Int
    ) throws(StrategyError) -> Strategy.Cache {
        var cache = Strategy.Cache(byteCountMax: byteCountMax)
        var seen: Set<String> = []
        for setting in settings {
            let kind: String
            if setting.text.first?.isNumber == true, let days = Self.duration(setting.text) {
                guard name.text == "disk" else {
                    throw error(setting, message: "is an age; only the disk cache has one")
                }
                cache.ageMax = days
                kind = "an age"
            } else if setting.text.first?.isNumber == true {
                cache.byteCountMax = try byteCount(setting)
                kind = "a size"
            } else if let policy = CachePolicyChoice.all.first(where: { $0.name == setting.text }) {
                cache.policy = policy
                kind = "a policy"
            } else {
                let policies = Self.list(CachePolicyChoice.all.map(\.name))
                let age = name.text == "disk" ? " or an age such as 7d" : ""
                throw error(setting, message: "is no policy (\(policies)), and no size such as 50MB" + age)
            }
            guard seen.insert(kind).inserted else {
                throw error(setting, message: "is the second; \(kind) is there before")
            }
        }
        return cache
    }

    private func only(
        _ name: StrategyPiece,
        settings: [StrategyPiece],
        example: String
    ) throws(StrategyError) -> StrategyPiece {
        guard let first = settings.first, !first.text.isEmpty else {
            throw error(name, message: "needs a setting, such as \(name.text):\(example)")
        }
        guard settings.count == 1 else { throw error(settings[1], message: "is one too many") }
        return first
    }

    private func byteCount(_ piece: StrategyPiece) throws(StrategyError) -> Int {
        guard let size = ByteSize(piece.text), (1...Int64(1 << 50)).contains(size.byteCount) else {
            throw error(piece, message: "is no size; expected bytes such as 50MB or 64MiB")
        }
        return Int(size.byteCount)
    }

    private func count(_ piece: StrategyPiece, in range: ClosedRange<Int>) throws(StrategyError) -> Int {
        guard let number = Int(piece.text), range.contains(number) else {
            throw error(piece, message: "is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Days, hours or minutes: `7d`, `12h`, `30min`.
    private static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), (1...100_000).contains(number) else { return nil }
        switch text.dropFirst(digits.count) {
        case "d": return .seconds(86_400 * number)
        case "h": return .seconds(3_600 * number)
        case "min": return .seconds(60 * number)
        default: return nil
        }
    }

    private func error(_ piece: StrategyPiece, message: String, of subject: String? = nil) -> StrategyError {
        StrategyError(text: text, range: piece.range, message: "'\(subject ?? piece.text)' \(message)")
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
