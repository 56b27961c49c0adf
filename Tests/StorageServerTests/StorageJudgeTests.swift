// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOConcurrencyHelpers
import ObjectStore
import Testing
import Wire

@testable import StorageServer

/// The questions to a judge for each request, and the effect of its refusal.
@Suite(.timeLimit(.minutes(5))) struct StorageJudgeTests {
    /// Notes what it is asked, and refuses everything or nothing.
    final class NotingJudge: StorageJudge {
        private let asked = NIOLockedValueBox<[String]>([])
        let allows: Bool

        init(allows: Bool) {
            self.allows = allows
        }

        var questions: [String] { asked.withLockedValue { $0 } }

        func authorize(_ access: StorageAccess, for caller: Caller, noting judgement: inout Judgement) throws {
            asked.withLockedValue { $0.append("\(caller.userID ?? "-") \(Self.describe(access))") }
            if !allows { throw StorageRefusal() }
        }

        private static func describe(_ access: StorageAccess) -> String {
            switch access {
            case .get(let path, let object): "get \(path) \(object?.byteCount ?? -1)"
            case .list(let bucket, let prefix): "list \(bucket) \(prefix)"
            case .create(let object, let former):
                "create \(object.path) \(object.byteCount) over \(former?.byteCount ?? -1)"
            case .update(let former, let object):
                "update \(object.path) \(former.attributes.contentType) to \(object.attributes.contentType)"
            case .delete(let path, let object): "delete \(path) \(object?.byteCount ?? -1)"
            case .changeTokens(let path): "changeTokens \(path)"
            }
        }
    }

    static let alice = "Firebase e30.eyJ1c2VyX2lkIjoiYWxpY2UifQ."
    static let object = "/v0/b/bkt/o/docs%2Fa.txt"

    struct Case: Sendable {
        let method: HTTPRequest.Method
        let path: String
        var fields: [String: String] = [:]
        var body = ""
        /// `nil` where no judge is asked.
        var question: String?
        let status: Int
    }

    static let cases: [Case] = [
        Case(method: .get, path: object, question: "get bkt/docs/a.txt 11", status: 200),
        Case(method: .get, path: "\(object)?alt=media", question: "get bkt/docs/a.txt 11", status: 200),
        Case(method: .get, path: "\(object)?alt=media&token=token-1", status: 200),
        Case(method: .get, path: "\(object)?alt=media&token=stale", question: "get bkt/docs/a.txt 11", status: 403),
        Case(method: .get, path: "/v0/b/bkt/o/b", question: "get bkt/b -1", status: 404),
        Case(method: .get, path: "/v0/b/bkt/o?prefix=docs%2F", question: "list bkt docs/", status: 200),
        Case(method: .post, path: "/v0/b/bkt/o?name=b", body: "12345", question: "create bkt/b 5 over -1", status: 200),
        Case(method: .post, path: object, body: "12345", question: "create bkt/docs/a.txt 5 over 11", status: 200),
        Case(
            method: .patch,
            path: object,
            body: #"{"contentType":"text/css"}"#,
            question: "update bkt/docs/a.txt text/plain to text/css",
            status: 200
        ),
        Case(method: .post, path: "\(object)?create_token=true", question: "changeTokens bkt/docs/a.txt", status: 200),
        Case(method: .delete, path: object, question: "delete bkt/docs/a.txt 11", status: 204),
        Case(method: .get, path: "/v0", status: 200),
        Case(method: .get, path: "/storage/v1/b/bkt/o/docs%2Fa.txt", status: 200),
        Case(method: .get, path: "/bkt/docs/a.txt", status: 200),
        Case(method: .delete, path: "/b/bkt/o/docs%2Fa.txt", status: 204),
    ]

    private func fixture(_ judge: NotingJudge) async throws -> StorageFixture {
        let fixture = try StorageFixture(judge: CurrentStorageJudge(judge))
        try await fixture.send(
            .post,
            "/v0/b/bkt/o?name=docs%2Fa.txt",
            ["Content-Type": "text/plain", "Authorization": "Bearer owner"],
            "hello world"
        )
        return fixture
    }

    @Test(arguments: cases) func `judges a call with the objects that it reads or makes`(expected: Case) async throws {
        let judge = NotingJudge(allows: true)
        let fixture = try await fixture(judge)
        let fields = expected.fields.merging(["Authorization": Self.alice]) { own, _ in own }
        let answer = try await fixture.send(expected.method, expected.path, fields, expected.body)
        #expect(answer.status == expected.status)
        #expect(judge.questions == (expected.question.map { ["alice \($0)"] } ?? []))
    }

    @Test(arguments: cases) func `refuses in production's words, and does nothing`(expected: Case) async throws {
        let fixture = try await fixture(NotingJudge(allows: false))
        let answer = try await fixture.send(expected.method, expected.path, expected.fields, expected.body)
        guard expected.question != nil else {
            #expect(answer.status == expected.status)
            return
        }
        #expect(answer.status == 403)
        #expect(try answer.json("error.message") == "Permission denied.")
        #expect(try fixture.bytes("docs/a.txt") == Array("hello world".utf8))
        #expect(try fixture.bytes("b") == nil)
    }

    @Test(arguments: cases) func `never judges an administrator`(expected: Case) async throws {
        let judge = NotingJudge(allows: false)
        let fixture = try await fixture(judge)
        let fields = ["Authorization": "Bearer owner"]
        let answer = try await fixture.send(expected.method, expected.path, fields, expected.body)
        // An administrator needs no token, not even a right one.
        #expect(answer.status == (expected.status == 403 ? 200 : expected.status))
        #expect(judge.questions.isEmpty)
    }

    @Test func `a judge that is put in force judges the next call`() async throws {
        let judge = CurrentStorageJudge()
        let fixture = try StorageFixture(judge: judge)
        try await fixture.send(.post, "/v0/b/bkt/o?name=a", ["Content-Type": "text/plain"], "hello")
        #expect(try await fixture.send(.get, "/v0/b/bkt/o/a?alt=media").status == 200)
        judge.replace(with: NotingJudge(allows: false))
        #expect(try await fixture.send(.get, "/v0/b/bkt/o/a?alt=media").status == 403)
        judge.replace(with: nil)
        #expect(try await fixture.send(.get, "/v0/b/bkt/o/a?alt=media").status == 200)
    }

    @Test func `an answer given again from memory is not given behind a judge's back`() async throws {
        let judge = CurrentStorageJudge()
        try await LiveServer.run(judge: judge) { server in
            try await server.fixture.send(.post, "/v0/b/bkt/o?name=a", ["Content-Type": "text/plain"], "hello")
            let request = Array("GET /v0/b/bkt/o/a?alt=media HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            for _ in 0..<3 {
                #expect(String(decoding: try await server.exchange(request), as: UTF8.self).contains(" 200 OK"))
            }
            judge.replace(with: NotingJudge(allows: false))
            #expect(String(decoding: try await server.exchange(request), as: UTF8.self).contains(" 403 Forbidden"))
        }
    }

    @Test func `judges a resumable upload when it is complete, before its preconditions`() async throws {
        let judge = NotingJudge(allows: false)
        let fixture = try await fixture(judge)
        let started = try await fixture.send(
            .post,
            "/v0/b/bkt/o?name=b",
            ["Authorization": Self.alice, "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"]
        )
        let address = try #require(started["X-Goog-Upload-URL"])
        let path = String(address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
        #expect(judge.questions.isEmpty)
        let fields = [
            "Authorization": Self.alice, "X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0",
        ]
        let ended = try await fixture.send(.post, path, fields, "12345")
        #expect(ended.status == 403)
        #expect(judge.questions == ["alice create bkt/b 5 over -1"])
        #expect(try fixture.bytes("b") == nil)
    }
}
