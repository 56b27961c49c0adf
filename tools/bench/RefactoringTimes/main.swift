// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Loads the screens of the refactorings' articles before and after, and prints how long each took and what it downloaded:
//
//     RefactoringTimes --firestore URL --storage URL --log fixtures/session.log [--rounds 3] [--json]
//     RefactoringTimes --cells [--rounds 3] [--json]     # the cells' article alone, which loads nothing
//     RefactoringTimes --redisplay PHOTO [--rounds 3] [--json]     # a photograph that is shown again

import FeedClient
import Foundation
import SessionLog

func value(_ name: String) -> String? {
    guard let index = CommandLine.arguments.firstIndex(of: "--\(name)") else { return nil }
    return CommandLine.arguments.dropFirst(index + 1).first
}

func medians(_ rounds: [[RefactoringTrial.Row]]) -> [RefactoringTrial.Row] {
    rounds[0].indices.map { index in RefactoringTrial.Row(medianOf: rounds.map { $0[index] }) }
}

func show(_ rows: [RefactoringTrial.Row], _ columns: String) {
    print("| \(columns) |\n|---|--:|--:|")
    for row in rows { print("| \(row.name) | \(row.before) | \(row.after) |") }
}

func showCells() {
    show(medians(cells), "cells of posts of one to five thumbnails | one that changes its layout | five that do not")
    for row in medians(cells) {
        let ratio = row.before.seconds / row.after.seconds
        print("\none to five: \(ratio.formatted(.number.precision(.fractionLength(1))))x")
    }
}

func printJSON(_ results: [String: [RefactoringTrial.Row]]) throws {
    print(String(decoding: try JSONEncoder().encode(results), as: UTF8.self))
}

func endWithUsage() -> Never {
    let usage = """
        usage: RefactoringTimes --firestore URL --storage URL --log FILE [--rounds N] [--json]
               RefactoringTimes --cells [--rounds N] [--json]
               RefactoringTimes --redisplay PHOTO [--rounds N] [--json]

        """
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}

guard let rounds = Int(value("rounds") ?? "3"), rounds > 0 else { endWithUsage() }
let printsJSON = CommandLine.arguments.contains("--json")
if let photo = value("redisplay") {
    let trial = RedisplayTrial(photo: try Data(contentsOf: URL(fileURLWithPath: photo)))
    var redisplays: [[RefactoringTrial.Row]] = []
    for _ in 0..<rounds { redisplays.append(try await trial.rows()) }
    if printsJSON {
        try printJSON(["redisplays": medians(redisplays)])
    } else {
        show(medians(redisplays), "a photograph is shown again | without a cache of decoded images | with it")
    }
    exit(0)
}
let cells = try (0..<rounds).map { [try CellTrial().row(oneComesFirst: $0.isMultiple(of: 2))] }
if CommandLine.arguments.contains("--cells") {
    if printsJSON { try printJSON(["cells": medians(cells)]) } else { showCells() }
    exit(0)
}

guard let firestore = value("firestore").flatMap({ URL(string: $0) }),
    let storage = value("storage").flatMap({ URL(string: $0) }), let log = value("log"),
    let feed = try SessionLog.load(log).header.feed
else { endWithUsage() }

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

if printsJSON {
    try printJSON([
        "refactorings": medians(refactorings), "concurrencies": medians(concurrencies),
        "mainThread": medians(mainThread), "cells": medians(cells),
    ])
} else {
    show(medians(refactorings), "what the user waits for | before | after")
    print()
    show(medians(concurrencies), "loads at a time | six | three to six, by their size")
    print()
    show(medians(mainThread), "4: the main thread is not free for so long while | before | after")
    print()
    showCells()
}
