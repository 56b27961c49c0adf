// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering
import SecurityRules

extension EmulatorRooms {
    /// What each `allow` did since its file was put in force, for the console.
    ///
    /// - Parameter profile: The prices of what they read.
    /// - Returns: The report.
    func rulesReport(pricedBy profile: PriceProfile) -> JSONText {
        let documents = rules.judge.usage.flatMap { project, database, rules in
            rules.map {
                $0.json(
                    [
                        ("service", .string(FirestoreRules.service)), ("project", project.map(JSONText.string)),
                        ("database", database.map(JSONText.string)),
                    ],
                    pricedBy: profile
                )
            }
        }
        let objects = storageRules.judge.usage.flatMap { bucket, rules in
            rules.map {
                $0.json(
                    [("service", .string(StorageRules.service)), ("bucket", bucket.map(JSONText.string))],
                    pricedBy: profile
                )
            }
        }
        return .object([("rules", .array(documents + objects))])
    }
}

extension RuleUsage {
    fileprivate func json(_ place: [(String, JSONText?)], pricedBy profile: PriceProfile) -> JSONText {
        let usd = profile.usd(ofFirstCharged: Int64(counts.reads), of: .documentReads)
        let figures: [(String, JSONText?)] = [
            ("line", .integer(Int64(line))), ("match", .string(path)), ("allow", .array(methods.map(JSONText.string))),
            ("evaluations", .integer(Int64(counts.evaluations))), ("held", .integer(Int64(counts.held))),
            ("failed", .integer(Int64(counts.failed))), ("unproven", .integer(Int64(counts.unproven))),
            ("expressions", .integer(Int64(counts.expressions))),
            ("microseconds", .integer(Int64(counts.duration / .microseconds(1)))),
            ("reads", .integer(Int64(counts.reads))), ("usdBeyondFree", usd.map { .verbatim("\($0)") }),
        ]
        return .object(compacting: place + figures)
    }

    /// The warning that it lets users list documents that it means to keep from them.
    var credulityWarning: String {
        """
        Line \(line) of the rules let a query list documents of \(path) by what its filters leave open, such as that a field is \
        missing: whoever asks without a filter may read them all. Have it compare a field that the query must filter by, as in \
        resource.data.public == true.
        """
    }
}
