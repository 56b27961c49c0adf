// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Commits from several threads until it is killed, saying on its standard output what it is about to do and what the
// store has acknowledged. One line each: "begin <thread> <number>", "end <thread> <number>".

import Dispatch
import DocumentStore
import FirestoreModel
import Foundation

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: DocumentStoreCrashWriter FILE\n".utf8))
    exit(64)
}

do {
    let writer = try CrashingWriter(file: URL(fileURLWithPath: CommandLine.arguments[1]))
    try writer.buildIndexes()
    DispatchQueue.concurrentPerform(iterations: CrashingWriter.threadCount) { thread in
        do {
            try writer.commitForever(as: thread)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(74)
        }
    }
}
