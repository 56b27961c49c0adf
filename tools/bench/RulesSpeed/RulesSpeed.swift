// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import SecurityRules

/// Prints how long the judge of rules takes for a read of a document, by the number of expressions of the rule.
///
/// Each figure is the median of many batches; the request is made again for each judgement, as a server does it.
@main
enum RulesSpeed {
    static func main() throws {
        for trial in try Trial.all {
            let time = try trial.nanoseconds()
            print("\(trial.name)\t\(time)")
        }
    }
}
