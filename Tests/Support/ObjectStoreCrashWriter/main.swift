// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Changes a store until it is killed, saying on its standard output what it is about to do and what the store has
// acknowledged: the lines of ObjectStoreCrashScript. The fourth argument is the JSON of the multipart uploads to resume
// with, which no directory shows; or "import", to import sets of objects instead, each as one.

import Foundation
import ObjectStore
import ObjectStoreCrashScript

let arguments = CommandLine.arguments
guard arguments.count == 5, let seed = UInt64(arguments[2]), let time = Int64(arguments[3]) else {
    FileHandle.standardError.write(
        Data("usage: ObjectStoreCrashWriter DIRECTORY SEED MICROSECONDS UPLOADS|import\n".utf8)
    )
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
    if arguments[4] == "import" { try CrashImport.runForever(on: store, round: seed) }
    try createBuckets(in: store)
    // Once the store is open, the files that are left are those of uploads that can be resumed.
    let uploads = try FileManager.default.contentsOfDirectory(atPath: arguments[1] + "/uploads").sorted()
    let partedUploads = try JSONDecoder().decode([CrashPartedUpload].self, from: Data(arguments[4].utf8))
    var script = CrashScript(seed: seed, store: store, uploads: uploads, partedUploads: partedUploads)
    while true {
        let operation = try script.next()
        try say(.begun(operation))
        let upload = try operation.run(on: store)
        try say(.acknowledged(upload: upload))
        script.note(upload: upload, begunBy: operation)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(74)
}
