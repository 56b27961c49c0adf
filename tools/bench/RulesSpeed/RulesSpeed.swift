// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import SecurityRules

/// Prints how long the judge of rules takes for a read of a document, by the number of expressions of the rule.
///
/// Each figure is the median of many batches; the request is made again for each judgement, as a server does it. The
/// second figure is that of a judgement whose values are recorded for the report of coverage.
@main
enum RulesSpeed {
    static func main() throws {
        for trial in try Trial.all {
            let (plain, recorded) = (try trial.nanoseconds(), try trial.nanoseconds(isRecorded: true))
            print("\(trial.name)\t\(plain)\t\(recorded)")
        }
    }
}
