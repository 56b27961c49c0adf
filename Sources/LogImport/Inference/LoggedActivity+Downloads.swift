// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

extension LoggedActivity: RequestSink {
    package mutating func take(_ request: borrowing LoggedRequest) throws {
        if let hash = request.requestHash, !isNew(hash) {
            passedOver.duplicateCount += 1
            return
        }
        guard request.server != .otherHost else {
            passedOver.otherHostCount += 1
            return
        }
        let totals = request.isFromCache ? .zero : request.totals
        add(totals, of: request.operation == .documents ? .firestore : .storage)
        guard let object = downloaded(request) else {
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

    private mutating func isNew(_ hash: UInt64) -> Bool {
        var recent = recentRequests ?? RecentRequests()
        // Taken out, so that its tables are changed in place.
        recentRequests = nil
        defer { recentRequests = recent }
        return recent.insert([hash])[0]
    }

    /// The object that a request brought, or that its client has already; `nil` for another request, and where a server of
    /// all kinds of files, by its name, brought no image.
    private mutating func downloaded(_ request: borrowing LoggedRequest) -> Int? {
        let status = request.status
        guard request.operation == .download, status == 0 || (200..<300).contains(status) || status == 304 else {
            return nil
        }
        let name = request.objectName
        guard request.server == .storage else {
            // Where a log has no host, what was taken for the bucket is the first part of the name.
            let path = request.hasHost ? name : "\(request.bucketName)/\(name)"
            guard NumberedNames.isImage(path) else { return nil }
            return number(of: path, in: request.hasHost ? request.bucketName : "")
        }
        return number(of: name, in: request.bucketName)
    }

    /// Callers are numbered: their addresses must not be kept.
    private mutating func number(ofCaller hash: UInt64) -> Int32 {
        if let number = callerNumbers[hash] { return number }
        let number = self.number(of: Caller(kind: .program, name: "c\(callers.count + 1)"))
        callerNumbers[hash] = number
        return number
    }
}
