// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// The JSON API's preconditions on an object's versions: 412 for a failed match, 304 for a failed not-match of a read.
struct JSONPreconditionTests {
    static let present = "/b/bkt/o/docs%2Fa.txt"
    static let absent = "/b/bkt/o/none"
    static let now = "\(StorageFixture.time)"

    let fixture: StorageFixture

    init() async throws {
        fixture = try StorageFixture()
        try await fixture.putHello()
    }

    @Test(
        "judges reads",
        arguments: [
            (present, "ifGenerationMatch=\(now)", 200), (present, "ifGenerationMatch=1", 412),
            (present, "ifGenerationMatch=0", 412), (present, "ifGenerationNotMatch=\(now)", 304),
            (present, "ifGenerationNotMatch=1", 200), (present, "ifGenerationNotMatch=0", 200),
            (present, "ifMetagenerationMatch=1", 200), (present, "ifMetagenerationMatch=2", 412),
            (present, "ifMetagenerationNotMatch=1", 304), (present, "ifMetagenerationNotMatch=2", 200),
            (present, "ifGenerationMatch=1&ifMetagenerationNotMatch=1", 412), (present, "generation=\(now)", 200),
            (present, "generation=1", 404), (absent, "ifGenerationMatch=0", 404), (absent, "ifGenerationMatch=1", 404),
            (absent, "ifGenerationNotMatch=0", 404), (absent, "ifGenerationNotMatch=1", 404), (absent, "", 404),
        ] as [(String, String, Int)]
    )
    func reads(path: String, query: String, status: Int) async throws {
        for media in ["", "&alt=media"] {
            let answer = try await fixture.send(.get, "\(path)?\(query)\(media)")
            #expect(answer.status == status)
            guard status == 304 else { continue }
            #expect(answer.bytes.isEmpty)
            #expect(answer["Content-Type"] == (media.isEmpty ? "application/json" : "application/octet-stream"))
            #expect(answer["ETag"] == nil)
        }
    }

    @Test(
        "judges entity tags",
        arguments: [
            (["If-None-Match": "CNGTm8DplpcDEAE="], 304), (["If-None-Match": "\"CNGTm8DplpcDEAE=\""], 304),
            (["If-None-Match": "x"], 200), (["If-Match": "CNGTm8DplpcDEAE="], 200), (["If-Match": "x"], 412),
        ] as [([String: String], Int)]
    )
    func tags(headers: [String: String], status: Int) async throws {
        for media in ["", "?alt=media"] {
            #expect(try await fixture.send(.get, Self.present + media, headers).status == status)
        }
    }

    @Test(
        "judges changes",
        arguments: [
            ("PATCH", present, "ifMetagenerationMatch=1", 200), ("PATCH", present, "ifMetagenerationMatch=2", 412),
            ("PATCH", present, "ifGenerationNotMatch=\(now)", 304), ("PATCH", present, "generation=1", 404),
            ("PATCH", absent, "ifGenerationMatch=1", 404), ("DELETE", present, "ifGenerationMatch=\(now)", 204),
            ("DELETE", present, "ifGenerationMatch=1", 412),
            ("DELETE", present, "ifGenerationNotMatch=\(now)", 304),
            ("PATCH", present, "ifMetagenerationMatch=-1", 412),
            ("PATCH", present, "ifMetagenerationNotMatch=-1", 200), ("DELETE", present, "generation=\(now)", 204),
            ("DELETE", present, "generation=1", 404), ("DELETE", absent, "ifGenerationMatch=1", 404),
            ("DELETE", absent, "ifGenerationMatch=0", 404), ("DELETE", absent, "generation=1", 404),
        ] as [(String, String, String, Int)]
    )
    func changes(method: String, path: String, query: String, status: Int) async throws {
        let answer = try await fixture.send(try #require(.init(method)), "\(path)?\(query)", [:], "{}")
        #expect(answer.status == status)
        let isDeleted = method == "DELETE" && status == 204
        #expect(try (fixture.bytes("docs/a.txt") == nil) == isDeleted)
        if status == 412 {
            #expect(try answer.json("error.errors.0.reason") == "conditionNotMet")
            #expect(try answer.json("error.errors.0.location") == "If-Match")
        }
    }

    @Test(
        "judges uploads",
        arguments: [
            ("docs%2Fa.txt", "ifGenerationMatch=0", 412), ("docs%2Fa.txt", "ifGenerationMatch=\(now)", 200),
            ("docs%2Fa.txt", "ifGenerationNotMatch=\(now)", 304), ("docs%2Fa.txt", "ifMetagenerationMatch=2", 412),
            ("none", "ifGenerationMatch=0", 200), ("none", "ifGenerationMatch=1", 412),
            ("none", "ifGenerationNotMatch=0", 412), ("none", "ifGenerationMatch=x", 400),
        ] as [(String, String, Int)]
    )
    func uploads(name: String, query: String, status: Int) async throws {
        let target = "/upload/storage/v1/b/bkt/o?uploadType=media&name=\(name)&\(query)"
        let answer = try await fixture.send(.post, target, [:], "new")
        #expect(answer.status == status)
        if status == 200 { #expect(try answer.json("size") == "3") }
        #expect(try fixture.directory.byteFiles().count == (status == 200 && name == "none" ? 2 : 1))
    }
}
