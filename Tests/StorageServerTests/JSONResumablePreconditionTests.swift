// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// Preconditions of resumable uploads to the JSON API.
struct JSONResumablePreconditionTests {
    static let start = "/upload/storage/v1/b/bkt/o?name=a&uploadType=resumable&ifGenerationMatch=0"
    static let media = "/upload/storage/v1/b/bkt/o?name=a&uploadType=media"

    /// googleapis/nodejs-storage 7.19 passes on the code and the reason of the answer to the start (`system-test/storage.ts`,
    /// "should throw an error Precondition Failed on overwrite with version 0, then save file with and without resumable").
    @Test(arguments: [false, true])
    func `refuses to begin over an object that must not exist`(isVersioned: Bool) async throws {
        let fixture = try StorageFixture()
        try await fixture.send(.post, "/b", [:], "{\"name\":\"bkt\",\"versioning\":{\"enabled\":\(isVersioned)}}")
        try await fixture.send(.post, Self.media, [:], "hello1")
        try expectRefused(try await fixture.send(.post, Self.start, [:], "{}"))
        #expect(try fixture.bytes("a") == Array("hello1".utf8))
    }

    @Test func `refuses to end over an object that came to be meanwhile`() async throws {
        let fixture = try StorageFixture()
        let begun = try await fixture.send(.post, Self.start, [:], "{}")
        let address = try #require(begun["Location"]).dropFirst("http://emulator.test:9199".count)
        try await fixture.send(.post, Self.media, [:], "hello1")
        try expectRefused(try await fixture.send(.put, String(address), ["Content-Range": "bytes 0-*/*"], "hello2"))
        #expect(try fixture.bytes("a") == Array("hello1".utf8))
    }

    private func expectRefused(_ answer: Answer) throws {
        #expect(answer.status == 412)
        #expect(answer["Content-Type"] == "application/json; charset=UTF-8")
        #expect(try answer.json("error.code") == "412")
        #expect(try answer.json("error.errors.0.reason") == "conditionNotMet")
    }
}
