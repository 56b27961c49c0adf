// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import Foundation
import LocalFirebase
import SessionAudit
import SessionLog

// The times of the link model of `firemeter audit replay --network`, beside real downloads through `shaped_relay.py`,
// view by view. See tools/bench/link-model.

let logPath = CommandLine.arguments[1]
let viewCount = Int(CommandLine.arguments[2]) ?? 6
let whole = try SessionLog.load(logPath)
let session = try FirstViews(of: whole, count: viewCount)
let comparison = LinkComparison(session: session, logPath: logPath)

print("network                            view              loads     first image, ms          complete, ms")
print("                                                            measured  modelled     measured  modelled")
var errors: [Double] = []
for network in [
    Network(name: "slow 4G", downBitsPerSecond: 1_600_000, roundTrip: 150_000_000),
    Network(name: "fast 4G", downBitsPerSecond: 9_000_000, roundTrip: 60_000_000),
    Network(name: "fast and far", downBitsPerSecond: 100_000_000, roundTrip: 100_000_000),
] {
    for strategy in [try Strategy("thumbnails"), try Strategy("all-images+memory")] {
        errors += try await comparison.compare(strategy, on: network)
    }
}
errors.sort()
print(
    String(
        format: "error of the model: median %.1f %%, largest %.1f %%",
        100 * errors[errors.count / 2],
        100 * errors[errors.count - 1]
    )
)
