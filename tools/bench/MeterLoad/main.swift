// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MeterLedger
import Metering

/// Gives a ledger records of many objects, as fast as it takes them, and measures the time that takes and how quickly it answers.
///
///     MeterLoad DIRECTORY RECORDS OBJECTS [LIMIT]
///
/// Prints a line of `name value` for each figure. The records are of downloads, one of eight aborted, by a hundred users
/// with three clients, spread over ten minutes; with a limit, reports have no more groups than that.
let arguments = CommandLine.arguments
guard (4...5).contains(arguments.count), let recordCount = Int(arguments[2]), let objectCount = Int(arguments[3]) else {
    print("usage: MeterLoad DIRECTORY RECORDS OBJECTS [LIMIT]")
    exit(64)
}
let limit = (arguments.count == 5 ? Int(arguments[4]) : nil) ?? UsageQuestion.Grouping.limitDefault

func tell(_ name: String, _ value: some BinaryInteger) { print(name, value) }

func milliseconds(_ body: () throws -> Void) rethrows -> Int64 {
    Int64(try ContinuousClock().measure(body) / .milliseconds(1))
}

func residentKiB() -> Int {
    var usage = rusage()
    getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
}

let residentBefore = residentKiB()
let ledger = try UsageLedger(storage: .directory(arguments[1]))
let records = LoadRecords(objectCount: objectCount, recordCount: recordCount)
tell(
    "writeMilliseconds",
    try milliseconds {
        for index in 0..<recordCount { ledger.record(records[index]) }
        _ = try ledger.totals()
    }
)
tell("lostRecords", ledger.lostRecordCount)
tell("memoryKiB", residentKiB() - residentBefore)
for dimension in UsageDimension.allCases {
    let question = UsageQuestion(grouping: UsageQuestion.Grouping(by: dimension, limit: limit))
    var report = UsageReport(total: .zero)
    var times: [Int64] = []
    for _ in 0..<5 {
        times.append(try milliseconds { report = try ledger.report(question) })
    }
    let rendering = milliseconds { _ = report.json }
    let groups = report.breakdown?.groups ?? []
    let sum = groups.reduce(into: report.breakdown?.others ?? .zero) { $0.add($1.totals) }
    guard sum == report.total, sum.requests == Int64(recordCount) else {
        print("the groups by \(dimension) do not add up")
        exit(70)
    }
    print("by=\(dimension)", groups.count, "groups,", times.sorted()[2], "ms and", rendering, "ms to render")
}
tell("closeMilliseconds", try milliseconds { try ledger.close() })
tell("openMilliseconds", try milliseconds { try UsageLedger(storage: .directory(arguments[1])).close() })
tell("memoryAtEndKiB", residentKiB() - residentBefore)
