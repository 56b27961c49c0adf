// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import HTTPTypes
import HummingbirdCore
import MeterLedger
import Metering
import NIOCore
import Wire

/// A console over a ledger in memory, called without a socket.
struct ConsoleFixture {
    let ledger: UsageLedger?
    let server: ConsoleServer

    init(isMetered: Bool = true) throws {
        let ledger = isMetered ? try UsageLedger(storage: .memory) : nil
        self.ledger = ledger
        server = ConsoleServer(ledger: ledger) {
            [
                ListeningService(name: "firestore", host: "127.0.0.1", port: 8_080),
                ListeningService(name: "storage", host: "127.0.0.1", port: 9_199),
            ]
        }
    }

    /// Asks and returns the status, the content type, the allowed methods and the body.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        authority: String = "127.0.0.1:4000",
        headers: [String: String] = [:]
    ) async throws -> ConsoleAnswer {
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value }
        }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let attribution = UsageAttribution(service: .firestore, operation: "console")
        return try await ConsoleAnswer(server.respond(to: request, exchange: Exchange(attribution: attribution)))
    }

    /// Records a download of an object.
    func record(_ object: String, sentBodyBytes: Int64) throws {
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        attribution.object = object
        ledger?.record(
            UsageRecord(
                startMicroseconds: 0,
                durationMicroseconds: 0,
                method: "GET",
                status: 200,
                outcome: .complete,
                attribution: attribution,
                received: TransferredBytes(header: 100, body: 0, wire: 100),
                sent: TransferredBytes(header: 50, body: sentBodyBytes, wire: sentBodyBytes + 50),
                billed: BillingRule.storage(.classB).billed(status: 200, sentBodyBytes: sentBodyBytes)
            )
        )
    }
}

struct ConsoleAnswer: Equatable {
    var status: Int
    var contentType: String?
    var allow: String?
    var body: String

    init(_ response: Response) async throws {
        let collector = BodyCollector()
        try await response.body.write(CollectingWriter(collector: collector))
        status = response.status.code
        contentType = response.headers[.contentType]
        allow = response.headers[.allow]
        body = String(buffer: collector.body)
    }

    init(_ status: Int, _ body: String, allow: String? = nil) {
        self.status = status
        contentType = "application/json; charset=UTF-8"
        self.allow = allow
        self.body = body
    }

    /// An error in Google's form.
    static func failure(_ status: Int, _ message: String, allow: String? = nil) -> Self {
        Self(status, #"{"error":{"code":\#(status),"message":"\#(message)"}}"#, allow: allow)
    }
}

/// Keeps what a response writes.
private final class BodyCollector {
    var body = ByteBuffer()
}

private struct CollectingWriter: ResponseBodyWriter {
    let collector: BodyCollector

    mutating func write(_ buffer: ByteBuffer) async throws { collector.body.writeImmutableBuffer(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
