// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// Times and views, which only a simulation knows, and causes.
extension ReportColumn {
    /// How long users wait: the median, and the longest wait of 95 % of the views.
    static let times = times(under: [], short: true) { $0.simulated?.allTimes }

    /// Of the times, the one that comments on pull requests show.
    static let firstImageP95 = times[3]

    private static let waits:
        [(key: String, title: String, short: String, times: @Sendable (ViewTimes) -> TimeHistogram)] =
            [
                ("layout", "layout", "layout", { $0.layout }),
                ("firstImage", "first image", "ttfi", { $0.firstImage }),
                ("complete", "complete", "complete", { $0.complete }),
            ]

    private static func times(
        under path: [String],
        short hasShortName: Bool = false,
        _ times: @escaping @Sendable (StrategyOutcome) -> ViewTimes?
    ) -> [Self] {
        waits.flatMap { wait in
            [Int64(50), 95].map { percent in
                let key = "p\(percent)"
                return Self(
                    path: path + ["time", wait.key, key],
                    title: "\(wait.title) \(key)",
                    .milliseconds,
                    short: hasShortName ? "\(wait.short)_\(key)" : nil
                ) { outcome, _ in
                    times(outcome).flatMap { wait.times($0).milliseconds(atPercent: percent) }.map { .real($0) }
                }
            }
        }
    }

    // MARK: Causes

    /// The bytes of each cause, in the order of the causes.
    static let causes = DownloadCause.allCases.map { cause in
        let column = Self("waste", cause.rawValue, title: cause.title, .bytes) { outcome, _ in
            (outcome.causes?.amount(of: cause).byteCount).map { .whole($0) }
        }
        return (cause: cause, column: column)
    }

    static let wasted = Self("wastedBytes", title: "wasted", .bytes, short: "wasted") { outcome, _ in
        (outcome.causes?.wastedByteCount).map { .whole($0) }
    }

    /// The bytes that have no cause, since no view explains them; of recorded logs alone.
    static let other = Self("otherBytes", title: "other", .bytes) { outcome, report in
        report.hasRecorded ? outcome.otherByteCount.map { .whole($0) } : nil
    }

    /// The bytes that the strategy would download with every remedy.
    static let remedy = Self("remedyOfAll", "bytes", title: "with all remedies", .bytes) { outcome, _ in
        (outcome.remedyOfAll?.byteCount).map { .whole($0) }
    }

    // MARK: Views

    /// The usage of the views of a kind.
    static func columns(ofViews kind: SessionView.Kind) -> [Self] {
        let path = ["views", kind.rawValue]
        func column(
            _ keys: String...,
            unit: Unit,
            _ amount: @escaping @Sendable (SimulatedFigures.View) -> Int64
        ) -> Self {
            Self(path: path + keys, title: "\(kind.rawValue) \(keys[0])", unit) { outcome, _ in
                (outcome.simulated?.views[kind]).map { .whole(amount($0)) }
            }
        }
        return [
            column("count", unit: .count, \.count), column("requests", unit: .count, \.requestCount),
            column("bytes", "body", unit: .bytes, \.byteCount),
        ] + times(under: path, { $0.simulated?.views[kind]?.times })
    }
}
