// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SessionLog

/// Entries of Cloud Logging as JSON: audit logs of Cloud Storage and Firestore, and `httpRequest` of load balancers.
///
/// Audit logs have no sizes. `responseSize` counts the head with the body, since it has nothing else.
struct CloudLogging {
    private let path: String
    private var elements: JSONElements
    private var text = RequestText()

    init(_ path: String) {
        self.path = path
        elements = JSONElements(path, listNamed: "")
    }

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, into sink: inout some RequestSink) throws {
        var text = text
        let path = path
        try elements.read(bytes) { number, element in
            let entry: JSONValue
            do {
                entry = try JSONValue(parsing: element)
            } catch {
                throw LogImportError(path: path, line: nil, problem: "entry \(number): \(error)")
            }
            guard let time = (entry["timestamp"]?.string).flatMap(LogTime.init) else {
                throw LogImportError(
                    path: path,
                    line: nil,
                    problem: "entry \(number): 'timestamp' is no time of RFC 3339"
                )
            }
            try Self.take(entry, at: time.microseconds, into: &text, sink: &sink)
        }
        self.text = text
    }

    func finish() throws { try elements.finish() }

    private static func take(
        _ entry: JSONValue,
        at time: Int64,
        into text: inout RequestText,
        sink: inout some RequestSink
    ) throws {
        text.removeAll()
        let id = text.append(entry["insertId"]?.string ?? "")
        if let http = entry["httpRequest"], let address = http["requestUrl"]?.string {
            let method = text.append(http["requestMethod"]?.string ?? "GET")
            let target = text.append(address)
            let (client, agent) = (
                text.append(http["remoteIp"]?.string ?? ""), text.append(http["userAgent"]?.string ?? "")
            )
            try text.withRequest { logged in
                logged.time = time
                logged.take(ObjectAddress(method: method, address: target, in: logged.text))
                logged.status = Int(clamping: http["status"]?.integer ?? 0)
                logged.byteCount = number(http["responseSize"])
                logged.setID(id)
                logged.setClient(address: client, agent: agent)
                try sink.take(logged)
            }
        } else if let audit = entry["protoPayload"], let method = audit["methodName"]?.string {
            let (bucket, object) = resource(audit["resourceName"]?.string ?? "")
            let ranges = (text.append(bucket), text.append(object))
            let metadata = audit["requestMetadata"]
            let client = text.append(metadata?["callerIp"]?.string ?? "")
            let agent = text.append(metadata?["callerSuppliedUserAgent"]?.string ?? "")
            try text.withRequest { logged in
                logged.time = time
                logged.operation = operation(method)
                // Codes of google.rpc.Status: what was refused moved nothing.
                if let code = audit["status"]?["code"]?.integer, code != 0 { logged.status = code == 5 ? 404 : 403 }
                (logged.bucket, logged.object) = ranges
                logged.setID(id)
                logged.setClient(address: client, agent: agent)
                try sink.take(logged)
            }
        }
    }

    private static func operation(_ method: String) -> LoggedOperation {
        if method.hasPrefix("google.firestore.") || method.hasPrefix("google.datastore.") { return .documents }
        // The audit log does not distinguish an object's bytes from its metadata.
        return method.utf8.withContiguousStorageIfAvailable {
            LoggedOperation(usageLog: UnsafeRawBufferPointer($0), isMedia: true)
        } ?? .other
    }

    /// Bucket and object of `projects/_/buckets/B/objects/O`.
    private static func resource(_ name: String) -> (bucket: String, object: String) {
        let segments = name.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false).map(String.init)
        guard segments.count >= 4, segments[2] == "buckets" else { return ("", "") }
        return (segments[3], segments.count == 6 && segments[4] == "objects" ? segments[5] : "")
    }

    /// A number, which JSON of Google's has as a string when it has 64 bits.
    private static func number(_ value: JSONValue?) -> Int64? { value?.integer ?? value?.string.flatMap { Int64($0) } }
}
