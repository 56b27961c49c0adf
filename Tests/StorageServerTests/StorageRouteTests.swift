// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Testing
import Wire

@testable import StorageServer

struct StorageRouteTests {
    static func path(_ name: String) throws -> ObjectPath { try #require(ObjectPath(bucket: "bkt", name: name)) }
    static func bucket() throws -> BucketName { try #require(BucketName("bkt")) }

    @Test(
        "never normalises an object's name",
        arguments: [
            ("a", "a"), ("a%2Fb", "a/b"), ("a%2F..%2Fb", "a/../b"), ("a/../b", "a/../b"), ("a%2F%2Fb", "a//b"),
            ("%2F", "/"), ("..a", "..a"), ("dir%2F", "dir/"), ("%C3%A9%20%23%3F", "é #?"), ("a+b", "a+b"),
            ("%2541", "%41"),
            ("%F0%9F%94%A5", "🔥"), (String(repeating: "a", count: 1_024), String(repeating: "a", count: 1_024)),
        ] as [(String, String)]
    )
    func keeps(coded: String, name: String) throws {
        let firebase = try #require(RequestTarget("/v0/b/bkt/o/\(coded)"))
        #expect(try StorageRoute(method: .get, target: firebase) == .metadata(Self.path(name)))
        guard !coded.contains("/") else { return }
        let json = try #require(RequestTarget("/storage/v1/b/bkt/o/\(coded)"))
        #expect(try JSONRoute(method: .get, target: json) == .metadata(Self.path(name)))
    }

    @Test(arguments: [
        "", ".", "%2E%2E", "a%0Ab", "a%0Db", "a%0D%0Ab", "%FF", "%C3", "%", "%4", "%ZZ",
        String(repeating: "a", count: 1_025),
        String(repeating: "%C3%A9", count: 513),
    ])
    func `refuses a name that no object can have`(coded: String) throws {
        let firebase = try #require(RequestTarget("/v0/b/bkt/o/\(coded)"))
        #expect(throws: StorageFailure.badRequest) { try StorageRoute(method: .get, target: firebase) }
        let json = try #require(RequestTarget("/b/bkt/o/\(coded)"))
        #expect(throws: StorageFailure.invalidObjectName) { try JSONRoute(method: .get, target: json) }
    }

    @Test(arguments: ["", "UPPER", "a%2Fb", "a%20b", "%FF", String(repeating: "a", count: 223)])
    func `refuses a name that no bucket can have`(coded: String) throws {
        let firebase = try #require(RequestTarget("/v0/b/\(coded)/o"))
        #expect(throws: StorageFailure.invalid("Invalid bucket name.")) {
            try StorageRoute(method: .get, target: firebase)
        }
        let json = try #require(RequestTarget("/b/\(coded)/o"))
        #expect(throws: StorageFailure.invalidBucketName) { try JSONRoute(method: .get, target: json) }
    }

    @Test(
        "reads the v0 API",
        arguments: [
            ("GET", "/v0", "emulator"), ("HEAD", "/v0/", "emulator"), ("POST", "/v0/", "405"),
            ("GET", "/v0/b/bkt/o", "list"), ("HEAD", "/v0/b/bkt/o?prefix=a%2F", "list"),
            ("POST", "/v0/b/bkt/o?name=a", "upload"), ("PUT", "/v0/b/bkt/o/a", "upload"),
            ("POST", "/v0/b/bkt/o/a", "upload"), ("POST", "/v0/b/bkt/o?name=a%0A", "400"),
            ("GET", "/v0/b/bkt/o/a?alt=media", "download"), ("HEAD", "/v0/b/bkt/o/a?alt=media", "download"),
            ("GET", "/v0/b/bkt/o/a?alt=json", "metadata"), ("PATCH", "/v0/b/bkt/o/a", "patch"),
            ("DELETE", "/v0/b/bkt/o/a", "delete"), ("POST", "/v0/b/bkt/o/a?create_token=true", "changeTokens"),
            ("DELETE", "/v0/b/bkt/o", "405"), ("PATCH", "/v0/b/bkt/o", "405"), ("TRACE", "/v0/b/bkt/o/a", "405"),
            ("GET", "/v0/b/bkt", "404"), ("GET", "/v0/b/bkt/x/a", "404"), ("GET", "/v0/c/bkt/o/a", "404"),
        ] as [(String, String, String)]
    )
    func readsFirebase(method: String, target: String, expected: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        let target = try #require(RequestTarget(target))
        #expect(Self.kind { () throws(StorageFailure) in try StorageRoute(method: method, target: target) } == expected)
    }

    @Test(
        "reads the JSON API with and without its prefix",
        arguments: [
            ("GET", "", "/b?project=p", "listBuckets"), ("POST", "", "/b?project=p", "createBucket"),
            ("GET", "", "/b/bkt", "bucket"), ("DELETE", "", "/b/bkt", "deleteBucket"), ("PATCH", "", "/b/bkt", "501"),
            ("GET", "", "/b/bkt/o", "list"), ("POST", "", "/b/bkt/o", "501"),
            ("POST", "/upload", "/b/bkt/o?uploadType=media", "insert"), ("GET", "/upload", "/b/bkt/o", "501"),
            ("PUT", "/upload", "/b/bkt/o?upload_id=1", "501"), ("POST", "/upload", "/b/bkt/o?upload_id=1", "501"),
            ("GET", "", "/b/bkt/o/a", "metadata"), ("GET", "", "/b/bkt/o/a?alt=media", "download"),
            ("GET", "/download", "/b/bkt/o/a", "download"), ("HEAD", "/download", "/b/bkt/o/a?alt=media", "download"),
            ("PATCH", "", "/b/bkt/o/a", "patch"), ("PUT", "", "/b/bkt/o/a", "501"),
            ("DELETE", "", "/b/bkt/o/a", "delete"),
            ("POST", "", "/b/bkt/o/a/rewriteTo/b/bkt/o/c", "501"), ("POST", "", "/b/bkt/o/a/compose", "501"),
            ("GET", "", "/b/bkt/acl", "501"), ("GET", "", "/b/bkt/iam", "501"), ("POST", "/batch", "", "501"),
            ("DELETE", "/download", "/b/bkt/o/a", "501"), ("GET", "", "/projects/p/serviceAccount", "501"),
        ] as [(String, String, String, String)]
    )
    func readsJSON(method: String, area: String, rest: String, expected: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        for prefix in ["", "/storage/v1"] {
            let target = try #require(RequestTarget(area + prefix + rest))
            #expect(
                Self.kind { () throws(StorageFailure) in try JSONRoute(method: method, target: target) } == expected,
                "\(area + prefix + rest)"
            )
        }
    }

    /// The case that was read, without its values, or the status of the refusal.
    static func kind<Route>(_ read: () throws(StorageFailure) -> Route) -> String {
        do {
            return String("\(try read())".prefix { $0 != "(" })
        } catch {
            return "\(error.status)"
        }
    }
}
