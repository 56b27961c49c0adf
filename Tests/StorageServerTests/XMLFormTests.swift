// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import StorageServer

/// Files posted by forms.
struct XMLFormTests {
    static let headers = ["Content-Type": "multipart/form-data; boundary=b"]

    static func form(_ fields: [(String, String)], file: String? = "hello world", name: String = "a.txt") -> String {
        let parts = fields.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
        let last = file.map {
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
                + "Content-Type: text/plain\r\n\r\n\($0)\r\n"
        }
        return parts.joined() + (last ?? "") + "--b--\r\n"
    }

    /// The fields of a form signed for some conditions besides those that every signed form has.
    static func signed(
        _ signer: URLSigner,
        _ conditions: String,
        _ fields: [(String, String)],
        expiration: String = "2026-09-30T17:30:00Z"
    ) -> [(String, String)] {
        let credential = "\(URLSigner.account)/20260930/auto/storage/goog4_request"
        let proof = [
            ("x-goog-algorithm", signer.algorithm), ("x-goog-credential", credential),
            ("x-goog-date", "20260930T172604Z"),
        ]
        let all = [conditions] + proof.map { "{\"\($0.0)\":\"\($0.1)\"}" }
        let json = "{\"expiration\":\"\(expiration)\",\"conditions\":[\(all.joined(separator: ","))]}"
        let policy = Data(json.utf8).base64EncodedString()
        return fields + proof + [("policy", policy), ("x-goog-signature", signer.sign(policy, day: "20260930"))]
    }

    @Test func `stores the file with the form's attributes`() async throws {
        let fixture = try StorageFixture()
        let form = Self.form([
            ("key", "u/${filename}"), ("Cache-Control", "no-store"), ("x-goog-meta-Color", "red"), ("acl", "public"),
        ])
        let answer = try await fixture.send(.post, "/bkt", Self.headers, form)
        #expect(answer.status == 204)
        #expect(answer.bytes.isEmpty)
        #expect(answer["ETag"] == FirebaseDownloadTests.tag)
        #expect(answer["Location"] == "http://emulator.test:9199/bkt/u%2Fa.txt")
        let object = try await fixture.send(.get, "/bkt/u/a.txt")
        #expect(object.text == "hello world")
        let expected = ["Content-Type": "text/plain", "Cache-Control": "no-store", "x-goog-meta-color": "red"]
        for (name, value) in expected { #expect(object[name] == value, "\(name)") }
    }

    @Test(
        "answers as the form wants",
        arguments: [
            ([("success_action_status", "200")], 200, nil), ([("success_action_status", "201")], 201, nil),
            ([("success_action_status", "302")], 204, nil), ([("success_action_status", "x")], 204, nil),
            (
                [("success_action_redirect", "http://a.test/b")], 303,
                "http://a.test/b?bucket=bkt&key=a%20b&etag=%225eb63bbbe01eeed093cb22bb8f5acdc3%22"
            ),
            (
                [("success_action_redirect", "http://a.test/b?c"), ("success_action_status", "200")], 303,
                "http://a.test/b?c&bucket=bkt&key=a%20b&etag=%225eb63bbbe01eeed093cb22bb8f5acdc3%22"
            ),
        ] as [([(String, String)], Int, String?)]
    )
    func answers(fields: [(String, String)], status: Int, location: String?) async throws {
        let fixture = try StorageFixture()
        let answer = try await fixture.send(.post, "/bkt/", Self.headers, Self.form([("key", "a b")] + fields))
        #expect(answer.status == status)
        #expect(answer["Location"] == location ?? "http://emulator.test:9199/bkt/a%20b")
        if status == 201 {
            let document = try XMLReader.read(answer.bytes)
            #expect(document.name == "PostResponse")
            #expect(document.elements.map(\.text) == [answer["Location"], "bkt", "a b", FirebaseDownloadTests.tag])
        } else {
            #expect(answer.bytes.isEmpty)
        }
    }

    @Test(
        "refuses",
        arguments: [
            ("", 400, "IncorrectNumberOfFilesInPostRequest"),
            (form([("key", "a")], file: nil), 400, "IncorrectNumberOfFilesInPostRequest"),
            (form([]), 400, "InvalidArgument"), (form([("key", "")]), 400, "InvalidObjectName"),
            (form([("key", "${filename}")], name: ""), 400, "InvalidObjectName"),
            (form([("key", "a"), ("x-goog-random", "b")]), 400, "InvalidArgument"),
            (form([("key", "a")], file: "x").replacing("--b--", with: "--"), 400, "MalformedPOSTRequest"),
            (form([("key", "a"), ("policy", "!")]), 400, "InvalidPolicyDocument"),
            (form([("key", "a"), ("success_action_redirect", "a\r\nb")]), 400, "InvalidArgument"),
            (form([("key", "a"), ("policy", "e30="), ("x-goog-signature", "00")]), 400, "InvalidArgument"),
            (form([("a", String(repeating: "x", count: 70_000))]), 400, "MaxPostPreDataLengthExceededError"),
        ]
    )
    func refuses(body: String, status: Int, code: String) async throws {
        let fixture = try StorageFixture()
        let answer = try await fixture.send(.post, "/bkt", Self.headers, body)
        #expect(answer.status == status)
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code)
        #expect(try fixture.isEmpty())
    }

    @Test func `refuses a body that is no form`() async throws {
        let answer = try await StorageFixture().send(.post, "/bkt", ["Content-Type": "text/plain"], "x")
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == "RequestIsNotMultiPartContent")
    }

    static let key = "[\"starts-with\",\"$key\",\"u/\"]"

    @Test(
        "judges policies",
        arguments: [
            (key, "u/1", "2026-09-30T17:30:00Z", nil), (key, "v/1", "2026-09-30T17:30:00Z", "InvalidPolicyDocument"),
            (key, "u/1", "2026-09-30T17:26:03Z", "InvalidPolicyDocument"),
            ("\(key),{\"bucket\":\"bkt\"}", "u/1", "2026-09-30T17:30:00Z", nil),
            ("\(key),{\"bucket\":\"other\"}", "u/1", "2026-09-30T17:30:00Z", "InvalidPolicyDocument"),
            ("\(key),[\"content-length-range\",11,11]", "u/1", "2026-09-30T17:30:00Z", nil),
            ("\(key),[\"content-length-range\",0,10]", "u/1", "2026-09-30T17:30:00Z", "EntityTooLarge"),
            ("\(key),[\"content-length-range\",12,20]", "u/1", "2026-09-30T17:30:00Z", "EntityTooSmall"),
        ] as [(String, String, String, String?)]
    )
    func policies(conditions: String, key: String, expiration: String, code: String?) async throws {
        let signer = URLSigner.hmac(secret: "s")
        let fields = Self.signed(signer, conditions, [("key", key)], expiration: expiration)
        for keys in [SigningKeys(), try signer.keys()] {
            let fixture = try StorageFixture(signingKeys: keys)
            let answer = try await fixture.send(.post, "/bkt", Self.headers, Self.form(fields))
            #expect(answer.status == (code == nil ? 204 : 400))
            if let code { #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code) }
            #expect(try fixture.isEmpty() == (code != nil))
        }
    }

    /// The last is what Node's client leaves of the bucket: `generateSignedPostPolicyV4` of googleapis/nodejs-storage 7.19
    /// gives the endpoint itself as the address where that is not Google's.
    @Test(
        "finds the bucket of a form that is posted to the service",
        arguments: [
            ([("bucket", "bkt")], "{\"bucket\":\"bkt\"}", nil), ([("bucket", "bkt")], key, "InvalidPolicyDocument"),
            ([("bucket", "BKT")], key, "InvalidBucketName"), ([], key, "InvalidArgument"),
            ([], "[\"starts-with\",\"$bucket\",\"b\"]", "InvalidArgument"), ([], "{\"bucket\":\"bkt\"}", nil),
        ] as [([(String, String)], String, String?)]
    )
    func findsBucket(fields: [(String, String)], condition: String, code: String?) async throws {
        let signer = URLSigner.hmac(secret: "s")
        let signed = Self.signed(signer, "\(condition),{\"key\":\"u/1\"}", [("key", "u/1")] + fields)
        let fixture = try StorageFixture(signingKeys: try signer.keys())
        let answer = try await fixture.send(.post, "/", Self.headers, Self.form(signed))
        #expect(answer.status == (code == nil ? 204 : 400))
        if let code { #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code) }
        #expect(try fixture.bytes("u/1") == (code == nil ? Array("hello world".utf8) : nil))
    }

    @Test func `finds the bucket of a form without a policy, and takes nothing but forms`() async throws {
        let fixture = try StorageFixture()
        let form = Self.form([("key", "a"), ("bucket", "bkt")])
        #expect(try await fixture.send(.post, "/", Self.headers, form).status == 204)
        #expect(try fixture.bytes("a") == Array("hello world".utf8))
        #expect(try await fixture.send(.post, "/", ["Content-Type": "text/plain"], "x").status == 405)
    }

    @Test func `judges the signature of a policy where there are keys`() async throws {
        let (signer, other) = (try URLSigner.serviceAccount(), try URLSigner.serviceAccount())
        let good = Self.signed(signer, Self.key, [("key", "u/1")])
        let cases: [([(String, String)], Int, Int)] = [
            (good, 204, 204), (Self.signed(other, Self.key, [("key", "u/1")]), 403, 204),
            (good.filter { $0.0 != "x-goog-signature" }, 403, 204), (good.filter { $0.0 != "x-goog-date" }, 400, 400),
        ]
        for (fields, withKeys, withoutKeys) in cases {
            for (keys, status) in [(try signer.keys(), withKeys), (SigningKeys(), withoutKeys)] {
                let fixture = try StorageFixture(signingKeys: keys)
                #expect(try await fixture.send(.post, "/bkt", Self.headers, Self.form(fields)).status == status)
            }
        }
    }
}
