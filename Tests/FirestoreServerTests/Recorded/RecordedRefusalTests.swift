// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import SwiftProtobuf
import Testing

/// Refuses what production refuses, in its words.
struct RecordedRefusalTests {
    @Test(arguments: Recorded.aggregations)
    func `refuses aggregations`(recorded: Recorded) async throws { try await check(recorded) }

    @Test(arguments: Recorded.filters + Recorded.fieldPaths + Recorded.names)
    func `refuses filters`(recorded: Recorded) async throws { try await check(recorded) }

    @Test(arguments: Recorded.cursors + Recorded.windows + Recorded.orders)
    func `refuses cursors, limits and orders`(recorded: Recorded) async throws { try await check(recorded) }

    @Test(arguments: Recorded.limits)
    func `refuses queries that are too large`(recorded: Recorded) async throws { try await check(recorded) }

    @Test(arguments: Recorded.listings)
    func `refuses listings`(recorded: Recorded) async throws { try await check(recorded) }

    @Test(arguments: Recorded.shapes)
    func `refuses bodies`(recorded: Recorded) async throws { try await check(recorded) }

    @Test(arguments: Recorded.writes)
    func `refuses writes`(recorded: Recorded) async throws { try await check(recorded) }

    private func check(_ recorded: Recorded) async throws {
        let response = try await FirestoreFixture().send(recorded.request)
        let error = try #require(response.errorFields, "\(response.text)")
        #expect(error["message"]?.stringValue == recorded.message)
        #expect(error["status"]?.stringValue == recorded.code)
        let details = try recorded.details.map { try Google_Protobuf_Value(jsonString: $0) }
        #expect(error["details"] == details)
    }
}
