// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StorageServer

struct PostPolicyTests {
    typealias Failure = PostPolicy.Failure

    static func policy(_ conditions: String, expiration: String = "2026-09-30T17:30:00Z") throws -> PostPolicy {
        try PostPolicy(json: Array("{\"expiration\":\"\(expiration)\",\"conditions\":[\(conditions)]}".utf8))
    }

    @Test func `reads every kind of condition`() throws {
        let policy = try Self.policy(
            """
            {"bucket":"bkt"},["eq","$Key","a"],["starts-with","$x-goog-meta-A",""],["content-length-range",1,10],\
            {"success_action_status":201},["content-length-range","2","20"]
            """
        )
        #expect(policy.expiration == 1_790_789_400)
        let expected: [PostPolicy.Condition] = [
            .equals(field: "bucket", "bkt"), .equals(field: "key", "a"), .startsWith(field: "x-goog-meta-a", ""),
            .byteCount(1...10), .equals(field: "success_action_status", "201"), .byteCount(2...20),
        ]
        #expect(policy.conditions == expected)
        #expect(policy.byteCounts == 2...10)
        #expect(try Self.policy("").byteCounts == 0...Int64.max)
    }

    @Test(
        "refuses",
        arguments: [
            ("", Failure.notJSON), ("[]", .notJSON), ("{", .notJSON), ("{}", .noExpiration),
            ("{\"expiration\":1}", .noExpiration), ("{\"expiration\":\"tomorrow\"}", .noExpiration),
            ("{\"expiration\":\"2026-09-30T17:30:00Z\"}", .noConditions),
            ("{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":{}}", .noConditions),
            ("{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[\"x\"]}", .conditionUnknown(0)),
            ("{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[{\"a\":[]}]}", .conditionUnknown(0)),
            (
                "{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[{},[\"eq\",\"key\",\"a\"]]}",
                .conditionUnknown(1)
            ),
            (
                "{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[[\"in\",\"$key\",\"a\"]]}",
                .conditionUnknown(0)
            ),
            ("{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[[\"eq\",\"$key\"]]}", .conditionUnknown(0)),
            (
                "{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[[\"content-length-range\",2,1]]}",
                .conditionUnknown(0)
            ),
            (
                "{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[[\"content-length-range\",-1,1]]}",
                .conditionUnknown(0)
            ),
            (
                "{\"expiration\":\"2026-09-30T17:30:00Z\",\"conditions\":[[\"content-length-range\",0,1e99]]}",
                .conditionUnknown(0)
            ),
            (String(repeating: "[", count: 20_000), .notJSON), (String(repeating: " ", count: 20_481), .tooLong),
        ]
    )
    func refuses(json: String, failure: Failure) {
        #expect(throws: failure) { try PostPolicy(json: Array(json.utf8)) }
    }

    @Test func `refuses what is not base64`() {
        #expect(throws: Failure.notBase64) { try PostPolicy.decode(base64: "{}") }
        #expect(throws: Failure.notJSON) { try PostPolicy.decode(base64: "") }
    }

    static let fields = ["key": "u/${filename}", "content-type": "image/png", "policy": "p", "x-goog-signature": "00"]

    @Test(
        "judges a form",
        arguments: [
            ("[\"starts-with\",\"$key\",\"u/\"],{\"Content-Type\":\"image/png\"}", [:], nil),
            ("{\"key\":\"u/a.png\"},{\"content-type\":\"image/png\"}", [:], nil),
            ("{\"key\":\"u/${filename}\"},{\"content-type\":\"image/png\"}", [:], nil),
            ("{\"key\":\"u/b.png\"},{\"content-type\":\"image/png\"}", [:], .unmet(field: "key")),
            ("[\"starts-with\",\"$key\",\"v/\"],{\"content-type\":\"image/png\"}", [:], .unmet(field: "key")),
            (
                "[\"starts-with\",\"$key\",\"\"],[\"starts-with\",\"$content-type\",\"image/\"],{\"bucket\":\"bkt\"}",
                [:],
                nil
            ),
            (
                "[\"starts-with\",\"$key\",\"\"],[\"starts-with\",\"$content-type\",\"\"],{\"bucket\":\"other\"}", [:],
                .unmet(field: "bucket")
            ),
            (
                "[\"starts-with\",\"$key\",\"\"],[\"starts-with\",\"$content-type\",\"\"],[\"starts-with\",\"$acl\",\"\"]",
                [:], .unmet(field: "acl")
            ),
            ("[\"starts-with\",\"$key\",\"\"]", [:], .unreferenced(["content-type"])),
            (
                "[\"starts-with\",\"$key\",\"\"],{\"content-type\":\"image/png\"}", ["submit": "x", "commit": "y"],
                .unreferenced(["commit", "submit"])
            ),
            ("[\"starts-with\",\"$key\",\"\"],{\"content-type\":\"image/png\"}", ["x-ignore-a": "x"], nil),
        ] as [(String, [String: String], Failure?)]
    )
    func judges(conditions: String, more: [String: String], failure: Failure?) throws {
        var fields = FormFields()
        for (name, value) in Self.fields.merging(more, uniquingKeysWith: { $1 }) { fields.set(name, to: value) }
        let policy = try Self.policy(conditions)
        var thrown: Failure?
        do { try policy.judge(fields, bucket: "bkt", key: "u/a.png", now: 1_790_789_400) } catch { thrown = error }
        #expect(thrown == failure)
        #expect(throws: Failure.expired) {
            try policy.judge(fields, bucket: "bkt", key: "u/a.png", now: 1_790_789_401)
        }
    }
}
