// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Finds requests that the parts of a log have more than once, by the files that `firemeter audit totals --ids` wrote
/// of them.
///
/// Memory grows with a 256th of the requests that have an id; the others wait in a temporary file.
package struct LogDuplicates {
    private let property: LogGrouping.Property?
    private var records: RecordClasses

    /// Creates a search among no files yet, whose requests were grouped by a property, or not.
    package init(by property: LogGrouping.Property?) {
        self.property = property
        records = RecordClasses(
            wordCount: CountedRequest.wordCount(hasGroup: property != nil),
            expected: "'firemeter audit totals --ids' wrote with the same --by"
        )
    }

    /// Takes in a file, or several that follow each other in one; `-` is standard input.
    package mutating func take(_ path: String) throws { try records.take(path) }

    /// The totals that take back what is counted twice: added to those of the parts, each request counts once.
    ///
    /// Of requests with one id that were not counted alike, that with the fewest bytes counts.
    package func corrections() throws -> LogTotals {
        var totals = LogTotals(by: property)
        for number in 0..<RecordFile.classCount {
            var requests: [CountedRequest] = []
            try records.forEach(ofClass: number) { words in
                let request = CountedRequest(words)
                guard request.isPlausible else { throw records.damaged }
                requests.append(request)
            }
            requests.sort { $0.order < $1.order }
            for (first, second) in zip(requests, requests.dropFirst()) where first.id == second.id {
                totals.takeBack(second)
            }
        }
        return totals
    }
}
