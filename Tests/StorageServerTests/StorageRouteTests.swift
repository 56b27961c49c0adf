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
        #expect(try FirebaseRoute(method: .get, target: firebase) == .metadata(Self.path(name)))
        guard !coded.contains("/") else { return }
        let json = try #require(RequestTarget("/storage/v1/b/bkt/o/\(coded)"))
        #expect(try JSONRoute(method: .get, target: json) == .object(Self.path(name), .get))
    }

    static let impossibleNames = [
        "", ".", "%2E%2E", "a%0Ab", "a%0Db", "a%0D%0Ab", String(repeating: "a", count: 1_025),
        String(repeating: "%C3%A9", count: 513),
    ]
    static let brokenNames = ["%FF", "%C3", "%", "%4", "%ZZ"]

    @Test(arguments: impossibleNames)
    func `finds no object of a name that none can have, and takes none in`(coded: String) throws {
        let target = try #require(RequestTarget("/v0/b/bkt/o/\(coded)"))
        #expect(throws: StorageFailure.notFound) { try FirebaseRoute(method: .get, target: target) }
        #expect(throws: StorageFailure.notFound) { try FirebaseRoute(method: .delete, target: target) }
        #expect(throws: StorageFailure.permissionDenied) { try FirebaseRoute(method: .patch, target: target) }
        #expect(throws: StorageFailure.badRequest) { try FirebaseRoute(method: .post, target: target) }
    }

    @Test(arguments: impossibleNames)
    func `looks for an object of an impossible name, and refuses to store it, by the JSON API`(coded: String) throws {
        let name = try #require(PercentCoding.decode(coded))
        let object = try #require(RequestTarget("/b/bkt/o/\(coded)"))
        #expect(throws: StorageFailure.noSuchObject("bkt/\(name)")) { try JSONRoute(method: .get, target: object) }
        let copy = try #require(RequestTarget("/b/bkt/o/a/rewriteTo/b/bkt/o/\(coded)"))
        #expect(throws: StorageFailure.invalidObjectName(name)) { try JSONRoute(method: .post, target: copy) }
    }

    @Test(arguments: brokenNames)
    func `refuses a path with a broken escape`(coded: String) throws {
        let object = try #require(RequestTarget("/b/bkt/o/\(coded)"))
        #expect(throws: StorageFailure.brokenEscape) { try JSONRoute(method: .get, target: object) }
        let firebase = try #require(RequestTarget("/v0/b/bkt/o/\(coded)"))
        #expect(throws: StorageFailure.badRequest) { try FirebaseRoute(method: .get, target: firebase) }
    }

    @Test(arguments: ["", "UPPER", "a%2Fb", "a%20b", "%FF", String(repeating: "a", count: 223)])
    func `refuses a name that no bucket can have`(coded: String) throws {
        let firebase = try #require(RequestTarget("/v0/b/\(coded)/o"))
        #expect(throws: StorageFailure.invalid("Invalid bucket name.")) {
            try FirebaseRoute(method: .get, target: firebase)
        }
        let json = try #require(RequestTarget("/b/\(coded)/o"))
        let refusal = coded == "%FF" ? StorageFailure.brokenEscape : .invalidBucketName
        #expect(throws: refusal) { try JSONRoute(method: .get, target: json) }
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
        #expect(
            Self.kind { () throws(StorageFailure) in try FirebaseRoute(method: method, target: target) } == expected
        )
    }

    @Test(
        "reads the JSON API with and without its prefix",
        arguments: [
            ("GET", "", "/b?project=p", "storage.buckets.list"), ("POST", "", "/b?project=p", "storage.buckets.insert"),
            ("GET", "", "/b/bkt", "storage.buckets.get"), ("DELETE", "", "/b/bkt", "storage.buckets.delete"),
            ("PATCH", "", "/b/bkt", "storage.buckets.patch"), ("PUT", "", "/b/bkt", "storage.buckets.update"),
            ("POST", "", "/b/bkt/lockRetentionPolicy", "storage.buckets.lockRetentionPolicy"),
            ("GET", "", "/b/bkt/iam", "storage.buckets.getIamPolicy"),
            ("PUT", "", "/b/bkt/iam", "storage.buckets.setIamPolicy"),
            ("GET", "", "/b/bkt/iam/testPermissions", "storage.buckets.testIamPermissions"),
            ("GET", "", "/b/bkt/acl", "storage.bucket_acl.list"),
            ("POST", "", "/b/bkt/defaultObjectAcl", "storage.default_object_acl.insert"),
            ("PATCH", "", "/b/bkt/o/a/acl/allUsers", "storage.object_acl.patch"),
            ("DELETE", "", "/b/bkt/notificationConfigs/1", "storage.notifications.delete"),
            ("GET", "", "/b/bkt/o", "storage.objects.list"), ("POST", "", "/b/bkt/o", "405"),
            ("POST", "/upload", "/b/bkt/o?uploadType=media", "storage.objects.insert"),
            ("PUT", "/upload", "/b/bkt/o?upload_id=1", "storage.objects.insert"),
            ("POST", "/resumable/upload", "/b/bkt/o?uploadType=resumable", "storage.objects.insert"),
            ("GET", "", "/b/bkt/o/a", "storage.objects.get"),
            ("GET", "", "/b/bkt/o/a?alt=media", "storage.objects.get"),
            ("HEAD", "/download", "/b/bkt/o/a?alt=media", "storage.objects.get"),
            ("PATCH", "", "/b/bkt/o/a", "storage.objects.patch"), ("PUT", "", "/b/bkt/o/a", "storage.objects.update"),
            ("DELETE", "", "/b/bkt/o/a", "storage.objects.delete"),
            ("POST", "", "/b/bkt/o/a/rewriteTo/b/bkt/o/c", "storage.objects.rewrite"),
            ("POST", "", "/b/bkt/o/a/copyTo/b/bkt/o/c", "storage.objects.copy"),
            ("POST", "", "/b/bkt/o/a/moveTo/o/c", "storage.objects.move"),
            ("POST", "", "/b/bkt/o/a/compose", "storage.objects.compose"),
            ("POST", "", "/b/bkt/o/a/restore", "storage.objects.restore"),
            ("POST", "", "/projects/p/hmacKeys", "storage.hmacKey.create"),
            ("GET", "", "/projects/p/serviceAccount", "storage.serviceaccount.get"),
            ("DELETE", "/download", "/b/bkt/o/a", "404"), ("POST", "", "/b/bkt/o/a/b", "404"),
            ("GET", "", "/b/bkt/nothing", "404"), ("GET", "", "/c", "404"),
            ("POST", "", "/b/bkt/o/a/copyTo/b/bkt", "404"),
        ] as [(String, String, String, String)]
    )
    func readsJSON(method: String, area: String, rest: String, expected: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        for prefix in ["", "/storage/v1"] {
            let target = try #require(RequestTarget(area + prefix + rest))
            #expect(
                Self.kind { () throws(StorageFailure) in
                    try JSONRoute(method: method, target: target).operation.faultMethod ?? ""
                } == expected,
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
