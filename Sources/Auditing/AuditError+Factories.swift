// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering
import SessionLog

extension AuditError {
    static let noFeed = Self(
        code: .badData,
        description: "the log's header does not say where its feed lives (\"feed\");"
            + " only a log of feed views can be replayed"
    )

    /// A log from which nothing can be replayed.
    package static let noViews = Self(
        code: .badData,
        description: "the log has neither views nor downloads or queries to infer them from; record an app with"
            + " 'firemeter serve --record', or views with FeedClient's ViewRecorder or 'firemeter audit record'"
    )

    /// A session whose users ask for no image.
    package static let nothingAskedFor = Self(code: .badData, description: "the session's users ask for no images")

    /// A log that does not have the images' pixels has no size of a smaller copy.
    package static func copiesUnknown(_ strategy: String) -> Self {
        Self(
            code: .usage,
            description:
                "\(strategy): the log does not tell the images' pixels, and so not how large smaller copies are"
        )
    }

    /// A Cloud Storage without the images that a log shows.
    static func objectsMissing(_ count: Int, of total: Int, such example: String) -> Self {
        Self(
            code: .imageMissing,
            description: "\(count) of the log's \(total) objects are not there, such as \(example); "
                + doubtOfDataSet
        )
    }

    /// A log whose objects are too large to be made.
    package static func tooMuchToMake(_ byteCount: Int64, atMost limit: Int64) -> Self {
        Self(
            code: .badData,
            description:
                "the log's objects have \(Figure.amount(byteCount)), and no more than \(Figure.amount(limit)) are made"
                + " for a replay; give them with --data or --seed, or an --emulator that has them"
        )
    }

    /// A directory that no emulator has kept its data in.
    package static func noDataDirectory(_ path: String) -> Self {
        Self(code: .badData, description: "\(path) is no data directory of 'firemeter serve --data'")
    }

    /// Nothing here listens to lists over HTTP.
    static func onlySimulated(_ strategy: String) -> Self {
        Self(
            code: .usage,
            description: "\(strategy): listening to lists is simulated only; add --mode simulate"
        )
    }

    /// A log without a user.
    package static func noSuchClient(_ client: String, in path: String) -> Self {
        Self(code: .usage, description: "\(path) has no client '\(client)' that asks for images")
    }

    /// A log that cannot be served without further options.
    package static func noDataSet(_ path: String) -> Self {
        Self(
            code: .usage,
            description: "\(path) does not name its data set; give one with --seed, or an --emulator"
        )
    }

    private static let doubtOfDataSet = "is this the data set that the log was recorded with?"

    static func viewFailed(_ step: Int, client: String, error: any Error) -> Self {
        var failure = feedFailed("view \(step) (client \(client)) cannot be replayed", error: error)
        if (error as? FeedError)?.code == .postNotLoaded { failure.description += "; " + doubtOfDataSet }
        return failure
    }

    private static func doubt(of strategy: Strategy) -> String {
        guard let variant = strategy.resizedVariant else { return doubtOfDataSet }
        return
            "do they have smaller copies? An emulator keeps them with --seed-variant \(variant.name), of images that it can decode"
    }

    /// `status` is that of the last refusal.
    static func imagesFailed(
        _ count: Int,
        status: Int?,
        strategy: Strategy,
        step: Int,
        client: String
    ) -> Self {
        let view = "view \(step) (client \(client))"
        // Payment Required, which a bucket beyond its quota answers.
        if status == 402 {
            return Self(
                code: .unavailable,
                description: "\(view): the emulator's quota of downloads is used up; begin a new day with"
                    + " POST /quota/advance, or serve without --enforce-quota"
            )
        }
        let answer = status.map { " (answered with \($0))" } ?? ""
        return Self(
            code: .badData,
            description: "\(view): \(count) images could not be loaded\(answer); \(doubt(of: strategy))"
        )
    }

    static func imageMissing(
        _ subject: String,
        status: Int,
        strategy: Strategy,
        step: Int,
        client: String
    ) -> Self {
        Self(
            code: .imageMissing,
            description: "view \(step) (client \(client)): \(subject) is answered with \(status);"
                + " \(doubt(of: strategy))"
        )
    }

    static func tourFailed(_ error: any Error) -> Self {
        feedFailed("the feed cannot be recorded", error: error)
    }

    static var tourInterrupted: Self {
        Self(code: .unavailable, description: "the feed cannot be recorded: a request was broken off; try again")
    }

    static func cachesFailed(client: String, error: any Error) -> Self {
        feedFailed("client \(client) has no caches", error: error)
    }

    /// Distinguishes a missing server and an unwritable cache from a feed that does not fit.
    private static func feedFailed(_ what: String, error: any Error) -> Self {
        let code: Code =
            switch (error as? FeedError)?.code {
            case .noResponse: .unavailable
            case .cacheUnusable: .inputOutput
            default: .badData
            }
        return Self(code: code, description: "\(what): \(error)")
    }

    static func otherSession(_ path: String) -> Self {
        Self(
            code: .inputOutput,
            description: "\(path) holds another session, which began at another time or with another feed;"
                + " choose another file"
        )
    }

    static func notAnAddress(_ address: String) -> Self {
        Self(code: .usage, description: "'\(address)' is no address of a console, such as 127.0.0.1:4000")
    }

    static func emulatorFailed(_ address: String, because reason: String) -> Self {
        Self(code: .unavailable, description: "the emulator's console at \(address) \(reason)")
    }

    static func diverges(
        _ strategy: String,
        view: SessionView,
        number: Int,
        live: TapedRequest?,
        simulated: TapedRequest?
    ) -> Self {
        let live = live.map { "made the request \($0)" } ?? "made no further request"
        let simulated = simulated.map { "made \($0)" } ?? "made none"
        return Self(
            code: .mismatch,
            description: "\(strategy): at view \(number) (client \(view.client)) the live client \(live),"
                + " the simulated one \(simulated)"
        )
    }

    static func countsDiverge(live: StrategyOutcome, simulated: StrategyOutcome) -> Self {
        Self(
            code: .mismatch,
            description: "\(live.strategy.name): the requests are the same, but live the caches answered"
                + " \(live.counts.cacheHits) and \(live.usage.billed) was billed,"
                + " simulated \(simulated.counts.cacheHits) and \(simulated.usage.billed)"
        )
    }

    static func mismatch(_ strategy: String, client: ClientCounts, meter: UsageTotals) -> Self {
        Self(
            code: .mismatch,
            description: "\(strategy): the client counted \(client.requests) requests"
                + " and \(client.bodyBytes) body bytes, the meter \(meter.requests) and \(meter.sent.body);"
                + " does something else use this emulator?"
        )
    }
}
