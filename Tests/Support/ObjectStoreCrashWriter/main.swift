// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Writes and deletes objects until it is killed, saying on its standard output what it is about to do and what the
// store has acknowledged. One line each: "begin <operation> <name> <md5>", "end". With the third argument "import" it
// imports sets of objects instead, each as one.

import Foundation
import ObjectStore

guard (3...4).contains(CommandLine.arguments.count), let seed = UInt64(CommandLine.arguments[2]) else {
    FileHandle.standardError.write(Data("usage: ObjectStoreCrashWriter DIRECTORY SEED [import]\n".utf8))
    exit(64)
}

do {
    let store = try SQLiteObjectStore(directory: CommandLine.arguments[1], clock: { 1_790_000_000_000_000 })
    if CommandLine.arguments.last == "import" { try CrashImport.runForever(on: store, round: seed) }
    var script = CrashScript(seed: seed)
    while true {
        try script.next().run(on: store)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(74)
}
