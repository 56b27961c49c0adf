// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import SessionLog

/// HTTP archives (HAR 1.2) of browsers and proxies; one file is one client.
///
/// Bodies are as many bytes as came, not as many as they hold: `bodySize`, else what Chrome says was transferred without the
/// head, else the content's size.
struct HAR {
    private let path: String
    private var elements: JSONElements
    private var text = RequestText()

    init(_ path: String) {
        self.path = path
        elements = JSONElements(path, listNamed: "entries")
    }

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, into sink: inout some RequestSink) throws {
        var text = text
        let path = path
        try elements.read(bytes) { number, element in
            try Self.take(element, number: number, path: path, into: &text, sink: &sink)
        }
        self.text = text
    }

    func finish() throws { try elements.finish() }

    private static func take(
        _ element: [UInt8],
        number: Int,
        path: String,
        into text: inout RequestText,
        sink: inout some RequestSink
    ) throws {
        func wrong(_ problem: String) -> LogImportError {
            LogImportError(path: path, line: nil, problem: "entry \(number): \(problem)")
        }
        let entry: JSONValue
        do { entry = try JSONValue(parsing: element) } catch { throw wrong("\(error)") }
        guard let request = entry["request"], let address = request["url"]?.string, let response = entry["response"]
        else {
            throw wrong("expected a 'request' with its 'url', and a 'response'")
        }
        guard let time = entry["startedDateTime"]?.string.flatMap(LogTime.init) else {
            throw wrong("'startedDateTime' is no time of RFC 3339")
        }
        guard address.hasPrefix("http") else { return }
        text.removeAll()
        let method = text.append(request["method"]?.string ?? "GET")
        let (target, client) = (text.append(address), text.append(path))
        try text.withRequest { logged in
            logged.time = time.microseconds
            logged.take(ObjectAddress(method: method, address: target, in: logged.text))
            // The files of a page are not downloads from a bucket.
            if logged.server == .files { logged.server = .otherHost }
            // Browsers write 0 for what was blocked or broken off.
            let status = Int(clamping: response["status"]?.integer ?? 0)
            logged.status = status == 0 ? 499 : status
            logged.isFromCache = entry["_fromCache"]?.string != nil
            logged.byteCount = logged.isFromCache ? 0 : byteCount(of: response)
            logged.setClient(address: client)
            try sink.take(logged)
        }
    }

    private static func byteCount(of response: JSONValue) -> Int64? {
        // Unknown figures are -1.
        func size(_ value: JSONValue?) -> Int64? { value?.integer.flatMap { $0 < 0 ? nil : $0 } }
        if response["status"]?.integer == 304 { return 0 }
        let body = size(response["bodySize"])
        if let body, body > 0 { return body }
        if let transferred = size(response["_transferSize"]), transferred > 0 {
            return max(0, transferred - (size(response["headersSize"]) ?? 0))
        }
        // Nothing came: that is what HAR has 0 for.
        if let body { return body }
        guard let content = size(response["content"]?["size"]) else { return nil }
        return max(0, content - max(0, response["content"]?["compression"]?.integer ?? 0))
    }
}
