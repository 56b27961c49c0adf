// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Metering
import SwiftProtobuf
import Testing

/// Answers over REST that are made while they are sent.
struct StreamedAnswerTests {
    private static let everything = #"{"structuredQuery":{"from":[{"collectionId":"cities"}]}}"#

    /// A fixture with documents of about 10 kB, 5 in each commit.
    private static func fixture(documentCount: Int) async throws -> FirestoreFixture {
        let fixture = try FirestoreFixture()
        let filler = String(repeating: "x", count: 10_000)
        for first in stride(from: 0, to: documentCount, by: 5) {
            let writes = (first..<min(first + 5, documentCount)).map { index in
                """
                {"update":{"name":"\(FirestoreFixture.documents)/cities/c\(1_000 + index)",
                           "fields":{"x":{"stringValue":"\(filler)"}}}}
                """
            }
            await fixture.send("POST", ":commit", #"{"writes":[\#(writes.joined(separator: ","))]}"#)
        }
        return fixture
    }

    /// The elements of a whole answer, and the reads billed for it.
    private static func drain(_ response: RESTResponse) throws -> (elements: [Google_Protobuf_Value], reads: Int64) {
        var bytes = response.body
        var reads = response.billed.documentReads
        while let piece = response.rest?.next() {
            bytes += piece.bytes
            reads += piece.billed.documentReads
        }
        return (try Google_Protobuf_Value(jsonUTF8Bytes: bytes).listValue.values, reads)
    }

    @Test func `a short answer is whole`() async throws {
        let response = try await Self.fixture(documentCount: 10).send("POST", ":runQuery", Self.everything)
        #expect(response.rest == nil)
        #expect(response.text.hasSuffix("]"))
        #expect(response.billed.documentReads == 10)
    }

    @Test func `a long answer of a query is read as it is taken`() async throws {
        let response = try await Self.fixture(documentCount: 200).send("POST", ":runQuery", Self.everything)
        #expect((20...60).contains(response.billed.documentReads))
        #expect(response.body.count < 400_000)
        let rest = try #require(response.rest)
        let piece = try #require(rest.next())
        #expect(piece.bytes.count < 100_000)
        #expect(piece.billed.documentReads <= 30)
    }

    @Test(arguments: [
        #"{"structuredQuery":{"from":[{"collectionId":"cities"}]}}"#,
        #"{"structuredQuery":{"from":[{"collectionId":"cities"}],"limit":150,"offset":20}}"#,
        #"{"structuredQuery":{"from":[{"collectionId":"cities"}]},"explainOptions":{"analyze":true}}"#,
        #"{"structuredQuery":{"from":[{"collectionId":"cities"}]},"newTransaction":{"readOnly":{}}}"#,
    ])
    func `a long answer is that of production, and costs its documents`(body: String) async throws {
        let response = try await Self.fixture(documentCount: 200).send("POST", ":runQuery", body)
        #expect(response.rest != nil)
        let (elements, reads) = try Self.drain(response)
        let documents = elements.filter { $0.structValue.fields["document"] != nil }
        let isLimited = body.contains("limit")
        #expect(documents.count == (isLimited ? 150 : 200))
        #expect(reads == (isLimited ? 170 : 200))
        #expect(Set(documents.map { $0.structValue.fields["readTime"] }).count == 1)
        let explained = elements.indices.filter { elements[$0].structValue.fields["explainMetrics"] != nil }
        #expect(explained == (body.contains("explain") ? [199] : []))
        let begun = elements.indices.filter { elements[$0].structValue.fields["transaction"] != nil }
        #expect(begun == (body.contains("newTransaction") ? [0] : []))
        let skipped = elements.first?.structValue.fields["skippedResults"]?.numberValue
        #expect(skipped == (isLimited ? 20 : nil))
    }

    @Test func `a long batch get has those found first, and then those missing`() async throws {
        let fixture = try await Self.fixture(documentCount: 200)
        let names = (-5..<205).map { "\"\(FirestoreFixture.documents)/cities/c\(1_000 + $0)\"" }
        let body = #"{"documents":[\#(names.joined(separator: ","))]}"#
        let response = await fixture.send("POST", ":batchGet", body)
        #expect((20...60).contains(response.billed.documentReads))
        let (elements, reads) = try Self.drain(response)
        #expect(elements.prefix(200).allSatisfy { $0.structValue.fields["found"] != nil })
        #expect(elements.suffix(10).allSatisfy { $0.structValue.fields["missing"] != nil })
        #expect(elements.count == 210)
        #expect(reads == 210)
    }

    @Test func `a failure in the middle is the last element`() async throws {
        let fixture = try await Self.fixture(documentCount: 200)
        let response = await fixture.send("POST", ":runQuery", Self.everything)
        await fixture.send(RESTRequest("DELETE", "/emulator/v1/\(FirestoreFixture.documents)"))
        let (elements, reads) = try Self.drain(response)
        let error = elements.last?.structValue.fields["error"]?.structValue.fields
        #expect(error?["status"]?.stringValue == "FAILED_PRECONDITION")
        #expect(elements.dropLast().allSatisfy { $0.structValue.fields["document"] != nil })
        #expect(Int(reads) >= elements.count - 1)
        #expect(reads < 100)
    }

    @Test func `an answer that is not taken is released`() async throws {
        let fixture = try await Self.fixture(documentCount: 200)
        var response: RESTResponse? = await fixture.send("POST", ":runQuery", Self.everything)
        weak let rest = response?.rest
        #expect(rest != nil)
        response = nil
        #expect(rest == nil)
    }
}
