// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import FunctionEvents

@Suite(.timeLimit(.minutes(10))) struct `Events of users and objects` {
    private static let resource = JSONText.object([("kind", "storage#object"), ("bucket", "b"), ("name", "a/1.png")])

    private static func change(_ kind: ObjectChange.Kind) -> ObjectChange {
        ObjectChange(
            kind,
            project: "demo",
            bucket: "b",
            name: "a/1.png",
            updated: "2027-01-15T08:00:00.123Z",
            resource: resource
        )
    }

    @Test(arguments: [
        (ObjectChange.Kind.finalize, "finalize", "finalized", "123"),
        (.metadataUpdate, "metadataUpdate", "metadataUpdated", "123"),
        // Of the removal itself; the object was last updated later than the clock of tests says.
        (.delete, "delete", "deleted", "000"), (.archive, "archive", "archived", "000"),
    ])
    func `an object's change is sent for both generations`(
        kind: ObjectChange.Kind,
        legacy: String,
        cloudEvent: String,
        milliseconds: String
    ) async throws {
        let harness = try Harness()
        harness.events.objectChanged(Self.change(kind))
        await harness.events.idle()
        let posted = harness.recorder.posted
        #expect(
            posted.map(\.url)
                == Array(repeating: "http://127.0.0.1:5001/functions/projects/demo/trigger_multicast", count: 2)
        )
        #expect(
            posted.map { $0.header("Content-Type") } == [
                "application/json", "application/cloudevents+json; charset=UTF-8",
            ]
        )
        let data = #""data":{"kind":"storage#object","bucket":"b","name":"a/1.png"}"#
        #expect(
            posted.map(\.text) == [
                """
                {"eventId":"event-1","timestamp":"2027-01-15T08:00:00.\(milliseconds)Z",\
                "eventType":"google.storage.object.\(legacy)",\
                "resource":{"service":"storage.googleapis.com","name":"projects/_/buckets/b/objects/a/1.png",\
                "type":"storage#object"},\(data)}
                """,
                """
                {"specversion":"1.0","id":"event-1","type":"google.cloud.storage.object.v1.\(cloudEvent)",\
                "source":"//storage.googleapis.com/projects/_/buckets/b/objects/a/1.png",\
                "subject":"objects/a/1.png","time":"2027-01-15T08:00:00.\(milliseconds)Z","bucket":"b",\(data)}
                """,
            ]
        )
    }

    @Test func `a URL gets an object's change with its bucket`() async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/f#bucket=b", "http://127.0.0.1:9/g#bucket=c"])
        harness.events.objectChanged(Self.change(.finalize))
        await harness.events.idle()
        let event = try #require(harness.recorder.posted.first { $0.url.hasSuffix("/f") })
        #expect(event.header("ce-type") == "google.cloud.storage.object.v1.finalized")
        #expect(event.header("ce-source") == "//storage.googleapis.com/projects/_/buckets/b")
        #expect(event.header("ce-subject") == "objects/a/1.png")
        #expect(event.header("ce-bucket") == "b")
        #expect(event.header("Content-Type") == "application/json")
        #expect(event.text == Self.resource.rendered(isIndented: false))
        #expect(!harness.recorder.posted.contains { $0.url.hasSuffix("/g") })
    }

    private static var user: EventUser {
        var provider = EventProvider(providerID: "password", rawID: "ann@example.com")
        provider.email = "ann@example.com"
        var user = EventUser(uid: "u1")
        (user.email, user.isEmailVerified, user.displayName) = ("ann@example.com", false, "Ann")
        (user.createdAt, user.lastLoginAt) = (1_800_000_000_123, nil)
        (user.customClaims, user.providers, user.tenantID) = (#"{"level":3}"#, [provider], "t")
        return user
    }

    @Test func `a user's creation is sent in the form of the official emulator`() async throws {
        let harness = try Harness()
        harness.events.userCreated(Self.user, project: "demo")
        await harness.events.idle()
        #expect(
            harness.recorder.posted.map(\.text) == [
                """
                {"eventId":"event-1","eventType":"providers/firebase.auth/eventTypes/user.create",\
                "resource":{"name":"projects/demo","service":"firebaseauth.googleapis.com"},"params":{},\
                "timestamp":"2027-01-15T08:00:00.000Z","data":{"uid":"u1","email":"ann@example.com",\
                "emailVerified":false,"displayName":"Ann","metadata":{"creationTime":"2027-01-15T08:00:00.123Z"},\
                "customClaims":{"level":3},"providerData":[{"rawId":"ann@example.com","providerId":"password",\
                "email":"ann@example.com"}],"tenantId":"t"}}
                """
            ]
        )
    }

    @Test func `a URL gets a user's deletion in the form of Eventarc`() async throws {
        let harness = try Harness(urls: ["http://127.0.0.1:9/#type=google.firebase.auth.user.v1.deleted"])
        harness.events.userCreated(Self.user, project: "demo")
        harness.events.userDeleted(Self.user, project: "demo")
        await harness.events.idle()
        let events = harness.recorder.posted.filter { $0.url == "http://127.0.0.1:9/" }
        #expect(events.count == 1)
        let event = try #require(events.first)
        #expect(event.header("ce-type") == "google.firebase.auth.user.v1.deleted")
        #expect(event.header("ce-source") == "//firebaseauth.googleapis.com/projects/demo")
        #expect(event.header("ce-subject") == "users/u1")
        #expect(try event.json()["metadata"]?["createTime"]?.string == "2027-01-15T08:00:00.123Z")
        #expect(try event.json()["providerData"]?.array?.first?["uid"]?.string == "ann@example.com")
    }

    @Test func `only the project of the Functions emulator is sent to it`() async throws {
        let harness = try Harness(project: "demo")
        harness.events.userCreated(Self.user, project: "other")
        harness.events.objectChanged(Self.change(.finalize))
        await harness.events.idle()
        #expect(harness.recorder.posted.count == 2)
    }
}
