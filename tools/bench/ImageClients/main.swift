// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Plays the same sessions by FeedClient and by the policies of the image-loading libraries on one emulator, and prints
// which body bytes each downloaded, as the meter saw it:
//
//     ImageClients --firestore URL --storage URL --console URL --log fixtures/session.log [--networks 2] [--seeds 3] [--json]

import FeedClient
import Foundation
import SessionLog

func value(_ name: String) -> String? {
    guard let index = CommandLine.arguments.firstIndex(of: "--\(name)") else { return nil }
    return CommandLine.arguments.dropFirst(index + 1).first
}

guard let firestore = value("firestore").flatMap({ URL(string: $0) }),
    let storage = value("storage").flatMap({ URL(string: $0) }),
    let console = value("console").flatMap({ URL(string: $0) }), let log = value("log")
else {
    FileHandle.standardError.write(
        Data("usage: ImageClients --firestore URL --storage URL --console URL --log FILE\n".utf8)
    )
    exit(64)
}

let comparison = Comparison(firestore: firestore, storage: storage, meter: Meter(console: console))
var rows: [Comparison.Row] = []
let session = try SessionLog.load(log)
// 1.6 and 9 Mbit/s, as browsers' developer tools have them for slow and fast 4G.
let networks = [("slow 4G", 200), ("fast 4G", 1_125)].prefix(value("networks").flatMap { Int($0) } ?? 2)
for (network, bytesPerMillisecond) in networks {
    let name = "recorded, \(network)"
    rows.append(try await comparison.row(of: session, name: name, bytesPerMillisecond: bytesPerMillisecond))
}
for seed in 1...UInt64(value("seeds").flatMap { UInt64($0) } ?? 3) {
    for kind in ScriptGenerator.Kind.allCases {
        var generator = ScriptGenerator(kind, seed: seed)
        rows.append(try await comparison.row(generator.script()))
    }
}

if CommandLine.arguments.contains("--json") {
    print(String(decoding: try JSONEncoder().encode(rows), as: UTF8.self))
} else {
    let names = [Comparison.ownName] + ClientPolicy.all.map(\.name)
    print("| session | pictures shown | " + names.joined(separator: " | ") + " | best of the others |")
    print("|---|--:|" + names.map { _ in "--:|" }.joined() + "--:|")
    for row in rows {
        let own = row.bodyBytes[Comparison.ownName] ?? 0
        let others = ClientPolicy.all.compactMap { row.bodyBytes[$0.name] }.min() ?? 0
        let cells = names.map { String(format: "%.2f MB", Double(row.bodyBytes[$0] ?? 0) / 1_000_000) }
        let ratio = String(format: "%.2fx", Double(others) / Double(max(1, own)))
        print("| \(row.session) | \(row.picturesShown) | " + cells.joined(separator: " | ") + " | \(ratio) |")
    }
}
