// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// Shares out the requests of a split of a third-party log by their callers, into a file, and keeps the names that it has.
package struct SharedLog: RequestSink {
    /// The number of the split, in the order in which one process reads the log.
    private let split: Int64
    private var file: RecordFile
    private var names = LoggedActivity()
    /// The hashes of the objects' names.
    private var hashes: [UInt64] = []

    /// Begins a file of requests.
    package init(requests path: String, split: Int64) throws(SessionLogError) {
        self.split = split
        file = try RecordFile(path, wordCount: SharedRequest.wordCount)
    }

    package static var isSlow: Bool { true }

    package mutating func take(_ request: borrowing LoggedRequest) throws {
        var hash: UInt64 = 0
        if let object = names.object(downloadedBy: request) {
            if object == hashes.count { hashes.append(names.objects[object].hash) }
            hash = hashes[object]
            names.noteSize(of: object, request.byteCount ?? 0)
            names.noteStart(request.time)
            _ = names.number(ofCaller: request.clientHash)
        }
        let shared = SharedRequest(request, object: hash)
        try file.append(by: shared.caller) { shared.append(to: &$0) }
    }

    package mutating func takeDuplicate() { names.takeDuplicate() }

    package mutating func takeUnreadable(_ line: UnreadableLine) { names.takeUnreadable(line) }

    /// Writes what waits, and returns the names.
    package mutating func finish() throws(SessionLogError) -> ImportPart {
        try file.finish()
        var part = ImportPart()
        part.objects = names.objects.enumerated().map { number, object in
            ImportPart.Object(
                bucket: object.bucket,
                name: object.name,
                byteCount: object.byteCount,
                place: ImportPart.Place(split: split, number: Int64(number))
            )
        }
        let callers = names.callerNumbers.sorted { $0.value < $1.value }
        part.callers = callers.map { hash, number in
            ImportPart.Caller(hash: hash, place: ImportPart.Place(split: split, number: Int64(number)))
        }
        part.start = names.start
        part.passedOver = names.passedOver
        return part
    }
}

extension LoggedActivity.Object {
    /// The same objects have the same, and few others do; nothing is 0.
    var hash: UInt64 {
        var key = "\(bucket)/\(name)"
        return max(1, key.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0)) })
    }
}
