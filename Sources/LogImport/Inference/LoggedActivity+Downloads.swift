// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

extension LoggedActivity: RequestSink {
    package mutating func take(_ request: borrowing LoggedRequest) throws {
        try take(request, object: object(downloadedBy: request))
    }

    /// Takes in a request that downloaded an object of this number; `nil` for another request.
    mutating func take(_ request: borrowing LoggedRequest, object: Int?) throws {
        guard request.server != .otherHost else {
            passedOver.otherHostCount += 1
            return
        }
        let totals = request.isFromCache ? .zero : request.totals
        add(totals, of: request.operation == .documents ? .firestore : .storage)
        guard let object else {
            passedOver.otherCount += 1
            return
        }
        noteSize(of: object, request.byteCount ?? 0)
        add(totals, ofObject: object)
        let download = LoggedDownload(
            object,
            LoggedDownload.Outcome(request),
            byteCount: totals.sent.body
        )
        _ = try append(.download(download), by: number(ofCaller: request.clientHash), at: request.time)
    }

    package mutating func takeDuplicate() { passedOver.duplicateCount += 1 }

    package mutating func takeUnreadable(_ line: UnreadableLine) { passedOver.unreadable.add(line) }

    /// The object that a request brought, or that its client has already; `nil` for another request, and where a server of
    /// all kinds of files, by its name, brought no image.
    mutating func object(downloadedBy request: borrowing LoggedRequest) -> Int? {
        let status = request.status
        guard request.server != .otherHost, request.operation == .download,
            status == 0 || (200..<300).contains(status) || status == 304
        else {
            return nil
        }
        if request.server == .storage { return number(ofObjectOf: request) }
        // Where a log has no host, what was taken for the bucket is the first part of the name.
        let name = request.hasHost ? request.objectName : "\(request.bucketName)/\(request.objectName)"
        return NumberedNames.isImage(name) ? number(of: name, in: request.hasHost ? request.bucketName : "") : nil
    }

    /// The number of an object of Cloud Storage: most were named before, in the same letters, and no text is made of these.
    private mutating func number(ofObjectOf request: borrowing LoggedRequest) -> Int {
        let hash = request.objectHash
        if let number = spelledObjects[hash], request.isOf(objects[Int(number)]) { return Int(number) }
        let number = self.number(of: request.objectName, in: request.bucketName)
        spelledObjects[hash] = Int32(number)
        return number
    }

    /// Callers are numbered: their addresses must not be kept.
    mutating func number(ofCaller hash: UInt64) -> Int32 {
        if let number = callerNumbers[hash] { return number }
        let number = self.number(of: Caller(kind: .program, name: "c\(callers.count + 1)"))
        callerNumbers[hash] = number
        return number
    }
}
