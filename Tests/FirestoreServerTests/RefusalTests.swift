// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreServer
import Metering
import SwiftProtobuf
import Testing

/// The refusals, with their status and words.
struct RefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: RESTRequest
        let status: Int
        let code: String
        /// A part of the message.
        let message: String

        init(
            _ name: String,
            _ method: String,
            _ path: String,
            _ body: String = "",
            authorization: String? = "Bearer owner",
            status: Int,
            code: String,
            message: String
        ) {
            testDescription = name
            let target = path.hasPrefix("//") ? String(path.dropFirst()) : "/v1/\(FirestoreFixture.documents)\(path)"
            request = RESTRequest(method, target, GoldenAnswer.expand(body), authorization: authorization)
            self.status = status
            self.code = code
            self.message = message
        }
    }

    @Test(arguments: Refusal.paths + Refusal.bodies)
    func `refuses with Google's error and changes nothing`(refusal: Refusal) async throws {
        let fixture = try FirestoreFixture()
        let response = await fixture.send(refusal.request)
        #expect(response.status == refusal.status)
        let opening = #"{"error":{"code":\#(refusal.status),"message":""#
        #expect(response.text.hasPrefix(opening) || response.text.hasPrefix("[" + opening))
        #expect(response.text.contains(refusal.message))
        #expect(response.errorFields?["status"]?.stringValue == refusal.code)
        #expect(response.billed.documentWrites == 0)
        #expect(await fixture.send("POST", ":listCollectionIds").text == "{}")
    }
}

extension RefusalTests.Refusal {
    static func invalid(
        _ name: String,
        _ method: String,
        _ path: String,
        _ body: String = "",
        message: String
    ) -> Self {
        Self(name, method, path, body, status: 400, code: "INVALID_ARGUMENT", message: message)
    }

    static func missing(_ name: String, _ method: String, _ path: String) -> Self {
        Self(name, method, path, status: 404, code: "NOT_FOUND", message: "Not Found")
    }

    static func unimplemented(
        _ name: String,
        _ method: String,
        _ path: String,
        _ body: String = "",
        message: String
    ) -> Self {
        Self(name, method, path, body, status: 501, code: "UNIMPLEMENTED", message: message)
    }
}
