// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Changes a store until it is killed, saying on its standard output what it is about to do and what the store has
// acknowledged: the lines of ObjectStoreCrashScript. With the fourth argument "import" it imports sets of objects instead,
// each as one.

import Foundation
import ObjectStore
import ObjectStoreCrashScript

let arguments = CommandLine.arguments
guard (4...5).contains(arguments.count), let seed = UInt64(arguments[2]), let time = Int64(arguments[3]) else {
    FileHandle.standardError.write(Data("usage: ObjectStoreCrashWriter DIRECTORY SEED MICROSECONDS [import]\n".utf8))
    exit(64)
}

func say(_ line: CrashLine) throws {
    FileHandle.standardOutput.write(try line.encoded())
}

func createBuckets(in store: SQLiteObjectStore) throws {
    for bucket in CrashBucket.allCases {
        guard let name = BucketName(bucket.rawValue), try store.bucket(named: name) == nil else { continue }
        var settings = BucketSettings()
        settings.isVersioned = bucket == .versioned
        settings.softDeleteSeconds = bucket == .soft ? CrashBucket.softDeleteSeconds : 0
        _ = try store.createBucket(name, settings: settings)
    }
}

do {
    let store = try SQLiteObjectStore(directory: arguments[1], clock: { time })
    if arguments.last == "import" { try CrashImport.runForever(on: store, round: seed) }
    try createBuckets(in: store)
    // Once the store is open, the files that are left are those of uploads that can be resumed.
    let uploads = try FileManager.default.contentsOfDirectory(atPath: arguments[1] + "/uploads").sorted()
    var script = CrashScript(seed: seed, store: store, uploads: uploads)
    while true {
        let operation = try script.next()
        try say(.begun(operation))
        let upload = try operation.run(on: store)
        try say(.acknowledged(upload: upload))
        script.note(upload: upload)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(74)
}
