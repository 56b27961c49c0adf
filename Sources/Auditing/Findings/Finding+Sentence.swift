// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension Finding {
    /// The change that avoids the downloads; `nil` where none is known to.
    func refactoring(in outcome: StrategyOutcome) -> Refactoring? {
        Refactoring(avoiding: cause, in: changed ?? outcome.strategy)
    }

    /// The event, its bytes and the screen with most of them.
    ///
    /// "Lists download further images of posts that were never opened: 412.0 MB (43.4 %), most of it on popular."
    var problem: String {
        "\(cause.event): \(Figure.amount(amount.byteCount)) (\(Figure.percent(percent)))\(whereabouts)."
    }

    /// The problem, the change that avoids it and where that is described, for an outcome that has the finding.
    func sentence(in outcome: StrategyOutcome) -> String {
        guard let refactoring = refactoring(in: outcome) else { return problem }
        let result = remedy.map { ": \($0.text(insteadOf: outcome))" } ?? ""
        return "\(problem) \(refactoring.summary)\(result) (\(refactoring.documents))."
    }

    private var whereabouts: String {
        guard let topScreen, amount.byteCount > 0 else { return "" }
        let percent = 100 * Double(topScreen.amount.byteCount) / Double(amount.byteCount)
        if percent == 100 { return ", all of it on \(topScreen.name)" }
        return percent > 50
            ? ", most of it on \(topScreen.name)" : ", \(Figure.wholePercent(percent)) of it on \(topScreen.name)"
    }
}

extension Finding.Remedy {
    /// `thumbnails, 390.3 MB in all, 2.4x less`.
    func text(insteadOf outcome: StrategyOutcome) -> String {
        let ratio = Double(byteCount) / Double(max(1, outcome.usage.sent.body))
        return "\(strategy), \(Figure.amount(byteCount)) in all, \(ReplayReport.saving(ratio))"
    }
}

extension DownloadCause {
    /// The cause as the first half of a sentence.
    fileprivate var event: String {
        switch self {
        case .overFetched: "Lists download further images of posts that were never opened"
        case .again: "Images are downloaded again that the same user had loaded before"
        case .oversized: "Images have more pixels than the place where they are shown"
        case .lookups: "Each image's address is requested with getDownloadURL"
        case .prefetchedUnused: "Images are loaded beforehand that were never shown"
        case .revalidated: "Cached images had been replaced, as asking their server showed"
        case .aborted: "Images were on their way that were no longer awaited"
        case .failed: "Requests were refused, or images failed halfway"
        case .needed, .documents: explanation
        }
    }
}
