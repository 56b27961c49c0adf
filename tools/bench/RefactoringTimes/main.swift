// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Loads the screens of the refactorings' articles before and after, and prints how long each took and what it downloaded:
//
//     RefactoringTimes --firestore URL --storage URL --log fixtures/session.log [--rounds 3] [--json]

import FeedClient
import Foundation
import SessionLog

func value(_ name: String) -> String? {
    guard let index = CommandLine.arguments.firstIndex(of: "--\(name)") else { return nil }
    return CommandLine.arguments.dropFirst(index + 1).first
}

guard let firestore = value("firestore").flatMap({ URL(string: $0) }),
    let storage = value("storage").flatMap({ URL(string: $0) }), let log = value("log"),
    let feed = try SessionLog.load(log).header.feed, let rounds = Int(value("rounds") ?? "3"), rounds > 0
else {
    FileHandle.standardError.write(
        Data("usage: RefactoringTimes --firestore URL --storage URL --log FILE [--rounds N] [--json]\n".utf8)
    )
    exit(64)
}

let trial = RefactoringTrial(
    endpoint: FeedEndpoint(
        firestore: firestore,
        storage: storage,
        project: feed.project,
        database: feed.database,
        collection: feed.collection,
        bucket: feed.bucket
    )
)
var refactorings: [[RefactoringTrial.Row]] = []
var concurrencies: [[RefactoringTrial.Row]] = []
var mainThread: [[RefactoringTrial.Row]] = []
for round in 0..<rounds {
    refactorings.append(try await trial.refactorings())
    concurrencies.append(try await trial.concurrencies(sixComeFirst: round.isMultiple(of: 2)))
    mainThread.append(try await trial.mainThreadRows())
}

func medians(_ rounds: [[RefactoringTrial.Row]]) -> [RefactoringTrial.Row] {
    rounds[0].indices.map { index in RefactoringTrial.Row(medianOf: rounds.map { $0[index] }) }
}

func show(_ rows: [RefactoringTrial.Row], _ columns: String) {
    print("| \(columns) |\n|---|--:|--:|")
    for row in rows { print("| \(row.name) | \(row.before) | \(row.after) |") }
}

if CommandLine.arguments.contains("--json") {
    let results = [
        "refactorings": medians(refactorings), "concurrencies": medians(concurrencies),
        "mainThread": medians(mainThread),
    ]
    print(String(decoding: try JSONEncoder().encode(results), as: UTF8.self))
} else {
    show(medians(refactorings), "what the user waits for | before | after")
    print()
    show(medians(concurrencies), "loads at a time | six | three to six, by their size")
    print()
    show(medians(mainThread), "4: the main thread is not free for so long while | before | after")
}
