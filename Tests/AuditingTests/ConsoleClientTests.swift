// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Metering
import Testing
import TinyFeed

@testable import Auditing

@Suite(.timeLimit(.minutes(5))) struct ConsoleClientTests {
    private func client(_ answers: [String: (status: Int, body: String)]) -> ConsoleClient {
        ConsoleClient(address: "127.0.0.1:4000", transport: StubConsole(answers: answers))
    }

    @Test func `finds the feed's services`() async throws {
        let endpoint = try await ConsoleClient(address: "127.0.0.1:4000", transport: StubConsole())
            .endpoint(of: TinyFeed.address)
        #expect(endpoint.firestore.absoluteString == "http://127.0.0.1:8080")
        #expect(endpoint.storage.absoluteString == "http://127.0.0.1:9199")
        #expect(endpoint.project == "demo-tiny")
        #expect(endpoint.database == "(default)")
        #expect(endpoint.collection == "posts")
        #expect(endpoint.bucket == "demo-tiny.appspot.com")
    }

    @Test func `reads the usage since a mark`() async throws {
        let usage = """
            {"requests":2,"bytes":{"received":300,"sent":1000,"bodySent":900},"billed":{"egressBytes":900,"classA":1,
             "classB":2,"documentReads":3,"documentWrites":4,"documentDeletes":5}}
            """
        let storage = """
            {"key":"storage","requests":1,"bytes":{"received":100,"sent":900,"bodySent":850},"billed":{"egressBytes":850,
             "classA":1,"classB":2,"documentReads":0,"documentWrites":0,"documentDeletes":0}}
            """
        let console = client([
            "POST /usage/marks": (200, #"{"mark":"m7"}"#),
            "GET /usage?since=m7&by=service": (200, #"{"by":"service","total":\#(usage),"groups":[\#(storage)]}"#),
        ])
        let (totals, byService) = try await console.usage(since: console.mark())
        #expect(byService.amount(of: .storageEgressBytes) == 850)
        #expect(byService.amount(of: .storageClassB) == 2)
        #expect(byService.amount(of: .firestoreEgressBytes) == 0)
        #expect(totals.requests == 2)
        #expect(totals.received.wire == 300)
        #expect(totals.sent == TransferredBytes(header: 100, body: 900, wire: 1_000))
        let billed = BilledUsage(
            egressBytes: 900,
            classA: 1,
            classB: 2,
            documentReads: 3,
            documentWrites: 4,
            documentDeletes: 5
        )
        #expect(totals.billed == billed)
    }

    private static let silent = "the emulator's console at 127.0.0.1:4000 "

    @Test(
        arguments: [
            (nil, silent + "does not answer; is it running?"),
            (
                (409, #"{"error":{"code":409,"message":"Nothing is metered."}}"#),
                silent + "answers POST /usage/marks with status 409: Nothing is metered."
            ),
            ((502, "<html>"), silent + "answers POST /usage/marks with status 502"),
            ((200, "<html>"), silent + "answers POST /usage/marks in another form; is it an emulator?"),
            ((200, #"{"marks":1}"#), silent + "answers POST /usage/marks in another form; is it an emulator?"),
        ] as [((Int, String)?, String)]
    )
    func `says what is wrong with a console`(_ answer: (status: Int, body: String)?, _ description: String) async throws
    {
        let console = client(answer.map { ["POST /usage/marks": $0] } ?? [:])
        let error = await #expect(throws: AuditError.self) { try await console.mark() }
        #expect(error?.code == .unavailable)
        #expect(error?.exitCode == 69)
        #expect(error?.description == description)
    }

    @Test func `needs Firestore and Storage`() async throws {
        let console = client(["GET /emulators": (200, #"{"firestore":{"host":"127.0.0.1","port":1}}"#)])
        let error = await #expect(throws: AuditError.self) { try await console.endpoint(of: TinyFeed.address) }
        #expect(error?.code == .unavailable)
        #expect(error?.description == Self.silent + "knows no Firestore and Storage")
    }

    @Test(arguments: ["", "localhost", "http://127.0.0.1:4000", "127.0.0.1:port", "a b:1"])
    func `an address without host or port is an error of usage`(_ address: String) async throws {
        let console = ConsoleClient(address: address, transport: StubConsole())
        let error = await #expect(throws: AuditError.self) { try await console.mark() }
        #expect(error?.exitCode == 64)
        #expect(error?.description == "'\(address)' is no address of a console, such as 127.0.0.1:4000")
    }
}
