// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StorageServer

struct FaultPlanTests {
    private static func requested(_ json: String) throws -> FaultPlanRequest {
        try #require(try FaultPlanRequest(Array(json.utf8)))
    }

    @Test func `hands out the faults of a method in order, each once`() throws {
        let plans = FaultPlans()
        let id = plans.add(
            try Self.requested(
                #"{"instructions":{"storage.objects.get":["return-503","return-408"],"storage.buckets.list":[]}}"#
            )
        ).id
        let first = try #require(try plans.next(of: id, for: "storage.objects.get"))
        #expect(first.fault.text == "return-503")
        #expect(try plans.next(of: id, for: "storage.objects.list") == nil)
        #expect(try plans.next(of: id, for: "storage.buckets.list") == nil)
        #expect(plans.take(first))
        #expect(!plans.take(first))
        #expect(try !plans.plan(id).isCompleted)
        let second = try #require(try plans.next(of: id, for: "storage.objects.get"))
        #expect(second.fault.text == "return-408")
        #expect(plans.take(second))
        #expect(try plans.plan(id).isCompleted)
        #expect(try plans.next(of: id, for: "storage.objects.get") == nil)
    }

    @Test func `gives nothing to HTTP of a plan for gRPC`() throws {
        let plans = FaultPlans()
        let json = #"{"instructions":{"storage.objects.get":["return-503"]},"transport":"grpc"}"#
        let id = plans.add(try Self.requested(json)).id
        #expect(try plans.next(of: id, for: "storage.objects.get") == nil)
        #expect(try plans.plan(id).transport == .grpc)
    }

    @Test func `keeps a bounded number of plans and drops the oldest`() throws {
        let plans = FaultPlans()
        let requested = try Self.requested(#"{"instructions":{"storage.objects.get":["return-503"]}}"#)
        let ids = (0...FaultPlans.planCountMax).map { _ in plans.add(requested).id }
        #expect(plans.all().map(\.id) == Array(ids.dropFirst()))
        #expect(throws: StorageFailure.self) { try plans.plan(ids[0]) }
        try plans.delete(ids[1])
        #expect(throws: StorageFailure.self) { try plans.delete(ids[1]) }
        #expect(plans.all().count == FaultPlans.planCountMax - 1)
    }

    @Test(
        "refuses a bad plan",
        arguments: [
            "", "[]", "{\"instructions\":[]}", "{\"instructions\":{\"storage.objects.get\":\"return-503\"}}",
            "{\"instructions\":{\"storage.objects.fetch\":[]}}",
            "{\"instructions\":{\"storage.objects.get\":[\"return\"]}}",
            "{\"instructions\":{\"storage.objects.get\":[\"return-503\"]},\"transport\":\"SMTP\"}",
        ]
    )
    func refuses(json: String) {
        #expect(throws: StorageFailure.self) { try FaultPlanRequest(Array(json.utf8)) }
    }

    @Test("asks for nothing", arguments: ["{}", "{\"instructions\":{}}", "{\"instructions\":null}"])
    func isEmpty(json: String) throws {
        #expect(try FaultPlanRequest(Array(json.utf8)) == nil)
    }
}
