// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Testing
import Wire

@testable import StorageServer

struct XMLRouteTests {
    @Test(
        "shares the paths among the APIs",
        arguments: [
            ("/", .xml), ("/bkt", .xml), ("/bkt/a/b", .xml), ("/storage", .xml), ("/storage/a.txt", .xml),
            ("/upload", .xml), ("/upload/a", .xml), ("/download/a", .xml), ("/v1/a", .xml), ("//a", .xml),
            ("/storage/v1/b", .json), ("/b", .json), ("/b/bkt/o", .json), ("/v0", .firebase),
            ("/v0/b/bkt/o", .firebase), ("/upload/storage/v1/b/bkt/o", .json), ("/upload/b/bkt/o", .json),
            ("/resumable/upload/storage/v1/b/bkt/o", .json), ("/download/storage/v1/b", .json),
            ("/download/b/bkt/o/a", .json), ("/batch/storage/v1", .json), ("/projects/p/hmacKeys", .json),
            ("/retry_test", .emulator), ("/retry_test/1", .emulator), ("/retry_tests", .emulator),
            ("/internal/reset", .emulator),
        ] as [(String, StorageAPIName)]
    )
    func shares(path: String, api: StorageAPIName) {
        #expect(StorageAPIName(path: path[...]) == api)
    }

    @Test(
        "reads method and target",
        arguments: [
            ("GET", "/", "listBuckets"), ("HEAD", "/", "listBuckets"), ("PUT", "/", "MethodNotAllowed"),
            ("POST", "/", "postForm"),
            ("GET", "/bkt", "list"), ("GET", "/bkt/", "list"), ("GET", "/bkt?prefix=a", "list"),
            ("HEAD", "/bkt", "describe"), ("PUT", "/bkt", "create"), ("DELETE", "/bkt", "delete"),
            ("POST", "/bkt", "postForm"), ("POST", "/bkt/", "postForm"), ("POST", "/bkt?delete", "deleteObjects"),
            ("GET", "/bkt?acl", "setting"), ("GET", "/bkt?location=", "setting"),
            ("PUT", "/bkt?versioning", "changeSetting"), ("DELETE", "/bkt?acl", "MethodNotAllowed"),
            ("GET", "/bkt?cors", "NotImplemented"), ("GET", "/bkt?uploads", "NotImplemented"),
            ("GET", "/bkt?versions", "NotImplemented"), ("PATCH", "/bkt", "MethodNotAllowed"),
            ("GET", "/bkt/a", "download"), ("HEAD", "/bkt/a", "describe"), ("PUT", "/bkt/a", "put"),
            ("DELETE", "/bkt/a", "delete"), ("POST", "/bkt/a", "startResumable"),
            ("GET", "/bkt/a?acl", "accessControls"),
            ("PUT", "/bkt/a?acl", "changeAccessControls"), ("DELETE", "/bkt/a?acl", "MethodNotAllowed"),
            ("PUT", "/bkt/a?compose", "NotImplemented"), ("PATCH", "/bkt/a", "MethodNotAllowed"),
            ("POST", "/bkt/a?uploads", "beginParts"), ("PUT", "/bkt/a?partNumber=1&uploadId=u", "parts"),
            ("DELETE", "/bkt/a?uploadId=u", "parts"), ("HEAD", "/bkt/a?uploadId=u", "MethodNotAllowed"),
            ("DELETE", "/bkt/a?upload_id=u", "cancelResumable"), ("GET", "/bkt/a?upload_id=u", "MethodNotAllowed"),
            ("PUT", "/bkt/a?upload_id=u", "continueResumable"),
            ("GET", "/BKT", "InvalidBucketName"), ("GET", "//a", "InvalidBucketName"),
            ("GET", "/b%20t/a", "InvalidBucketName"), ("GET", "/bkt/a%0Ab", "InvalidObjectName"),
            ("GET", "/bkt/%FF", "InvalidObjectName"), ("GET", "/bkt/%", "InvalidObjectName"),
            ("GET", "/bkt/..", "InvalidObjectName"), ("GET", "bkt", "InvalidURI"), ("GET", "", "InvalidURI"),
        ]
    )
    func reads(method: String, target: String, expected: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        let target = try #require(RequestTarget(target))
        let result: String
        do {
            switch try XMLRoute(method: method, target: target) {
            case .listBuckets: result = "listBuckets"
            case .postForm: result = "postForm"
            case .bucket(_, let operation): result = String("\(operation)".prefix { $0 != "(" })
            case .object(_, let operation): result = String("\(operation)".prefix { $0 != "(" })
            }
        } catch {
            result = error.code
        }
        #expect(result == expected)
    }

    @Test(
        "never normalises an object's name",
        arguments: [
            ("a", "a"), ("a%2Fb", "a/b"), ("a/b", "a/b"), ("a/../b", "a/../b"), ("/a", "/a"), ("a//b", "a//b"),
            ("a+b", "a+b"), ("a%20b", "a b"), ("%2541", "%41"), ("dir/", "dir/"), ("%F0%9F%94%A5", "🔥"),
        ]
    )
    func keeps(coded: String, name: String) throws {
        let target = try #require(RequestTarget("/bkt/\(coded)"))
        let path = try #require(ObjectPath(bucket: "bkt", name: name))
        #expect(try XMLRoute(method: .get, target: target) == .object(path, .download))
    }

    @Test(
        "reads the source of a copy",
        arguments: [
            ("bkt/a", "bkt/a"), ("/bkt/a", "bkt/a"), ("/bkt/a%2Fb/c%20d", "bkt/a/b/c d"), ("bkt//a", "bkt//a"),
            ("bkt/a+b", "bkt/a+b"), ("", nil), ("/", nil), ("bkt", nil), ("bkt/", nil), ("BKT/a", nil), ("bkt/%", nil),
        ] as [(String, String?)]
    )
    func readsSource(text: String, expected: String?) {
        #expect((try? XMLCopySource.path(text))?.description == expected)
    }
}
