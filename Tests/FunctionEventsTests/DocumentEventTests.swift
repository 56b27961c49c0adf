// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Foundation
import JSON
import Testing

@testable import FunctionEvents

@Suite(.timeLimit(.minutes(10))) struct `Events of documents` {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func posted(_ write: ChangedDocument) async -> [Posted] {
        harness.events.documentChanged(write)
        await harness.events.idle()
        return harness.recorder.posted
    }

    @Test func `generation 1 gets JSON with both documents and the changed fields`() async throws {
        try harness.registerFirst()
        let before: [String: Value] = [
            "a": .integer(1), "m": .map(["x": .integer(1), "y": .integer(2)]), "gone": .null,
        ]
        let after: [String: Value] = [
            "a": .integer(1), "m": .map(["x": .integer(1), "y": .integer(3)]), "b c": .string("n"),
        ]
        let event = try #require(await posted(Samples.write("notes/1", before, after)).first)
        #expect(event.url == "http://127.0.0.1:5001/functions/projects/demo/triggers/us-central1-first-0")
        #expect(event.header("Content-Type") == "application/json")
        let name = #""name":"projects/demo/databases/(default)/documents/notes/1""#
        let times = #""createTime":"2027-01-15T08:00:00.123456Z","updateTime":"2027-01-15T08:00:00.123456Z""#
        #expect(
            event.text == """
                {"data":{"value":{\(name),"fields":{"a":{"integerValue":"1"},"b c":{"stringValue":"n"},\
                "m":{"mapValue":{"fields":{"x":{"integerValue":"1"},"y":{"integerValue":"3"}}}}},\(times)},\
                "oldValue":{\(name),"fields":{"a":{"integerValue":"1"},"gone":{"nullValue":null},\
                "m":{"mapValue":{"fields":{"x":{"integerValue":"1"},"y":{"integerValue":"2"}}}}},\(times)},\
                "updateMask":{"fieldPaths":["`b c`","gone","m.y"]}},"context":{"eventId":"event-1",\
                "timestamp":"2027-01-15T08:00:00.123456Z",\
                "eventType":"providers/cloud.firestore/eventTypes/document.write",\
                "resource":{\(name),"service":"firestore.googleapis.com"}}}
                """
        )
    }

    @Test func `all kinds of values have the form of the REST API`() async throws {
        try harness.registerFirst()
        let database = DatabaseID(project: "demo")
        let reference = DocumentReference(database: database, path: try DocumentPath(parsing: "notes/2"))
        let fields: [String: Value] = [
            "a": .array([.boolean(true), .null]), "b": .bytes([0, 255]), "d": .double(1.5), "e": .map([:]),
            "g": .geoPoint(GeoPoint(latitude: 1, longitude: -2)), "i": .double(.infinity), "j": .double(-.infinity),
            "n": .double(.nan), "r": .reference(reference), "t": .timestamp(Samples.time), "v": .vector([1, 2]),
        ]
        let event = try #require(await posted(Samples.write("notes/1", nil, fields)).first)
        let value = try event.json()["data"]?["value"]?["fields"]
        let expected = """
            {"a":{"arrayValue":{"values":[{"booleanValue":true},{"nullValue":null}]}},"b":{"bytesValue":"AP8="},\
            "d":{"doubleValue":1.5},"e":{"mapValue":{"fields":{}}},\
            "g":{"geoPointValue":{"latitude":1.0,"longitude":-2.0}},"i":{"doubleValue":"Infinity"},\
            "j":{"doubleValue":"-Infinity"},"n":{"doubleValue":"NaN"},\
            "r":{"referenceValue":"projects/demo/databases/(default)/documents/notes/2"},\
            "t":{"timestampValue":"2027-01-15T08:00:00.123456Z"},\
            "v":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},\
            "value":{"arrayValue":{"values":[{"doubleValue":1.0},{"doubleValue":2.0}]}}}}}}
            """
        #expect(value == (try JSONValue(parsing: Array(expected.utf8))))
        #expect(try event.json()["data"]?["oldValue"] == nil)
        #expect(try event.json()["data"]?["updateMask"] == nil)
    }

    @Test func `generation 2 gets a CloudEvent with protocol buffers in base 64`() async throws {
        try harness.registerSecond()
        let event = try #require(await posted(Samples.write("notes/1", nil, ["a": .integer(1)])).first)
        #expect(event.url == "http://127.0.0.1:5001/functions/projects/demo/triggers/us-central1-second-0")
        let expected = [
            ("Content-Type", "application/protobuf"), ("ce-specversion", "1.0"), ("ce-id", "event-1"),
            ("ce-type", "google.cloud.firestore.document.v1.written"),
            ("ce-source", "//firestore.googleapis.com/projects/demo/databases/(default)"),
            ("ce-subject", "documents/notes/1"), ("ce-time", "2027-01-15T08:00:00.123456Z"),
            ("ce-datacontenttype", "application/protobuf"), ("ce-location", "us-central1"), ("ce-project", "demo"),
            ("ce-database", "(default)"), ("ce-namespace", "(default)"), ("ce-document", "notes/1"),
        ]
        for (name, value) in expected { #expect(event.header(name) == value) }
        #expect(event.header("ce-authtype") == nil)
        let data = try #require(Data(base64Encoded: Data(event.body)))
        #expect(data.first == 0x0A)
        #expect(Array(data) == (try Samples.write("notes/1", nil, ["a": .integer(1)]).message))
    }

    @Test func `the message has the numbers of DocumentEventData`() throws {
        let message = try Samples.write("c/d", ["a": .integer(1)], ["a": .integer(2)]).message
        let name = Array("projects/demo/databases/(default)/documents/c/d".utf8)
        let time: [UInt8] = [8, 128, 164, 167, 218, 6, 16, 128, 148, 239, 58]
        func document(_ tag: UInt8, _ number: UInt8) -> [UInt8] {
            let fields: [UInt8] = [0x12, 7, 0x0A, 1, 0x61, 0x12, 2, 0x10, number]
            let content: [UInt8] =
                [0x0A, UInt8(name.count)] + name + fields + [0x1A, UInt8(time.count)] + time + [
                    0x22, UInt8(time.count),
                ] + time
            return [tag, UInt8(content.count)] + content
        }
        #expect(message == document(0x0A, 2) + document(0x12, 1) + [0x1A, 3, 0x0A, 1, 0x61])
    }

    @Test(arguments: [
        ("created", true, false, false), ("updated", false, true, false), ("deleted", false, false, true),
        ("written", true, true, true), ("created.withAuthContext", true, false, false),
    ])
    func `a trigger runs on its kinds of changes`(
        type: String,
        created: Bool,
        updated: Bool,
        deleted: Bool
    ) async throws {
        try harness.registerSecond(type: type)
        let (old, new): ([String: Value], [String: Value]) = (["a": .integer(1)], ["a": .integer(2)])
        let changes: [(before: [String: Value]?, after: [String: Value]?)] = [
            (nil, new), (old, new), (old, nil), (nil, nil),
        ]
        var counts: [Int] = []
        for change in changes {
            counts.append(await posted(try Samples.write("notes/1", change.before, change.after)).count)
        }
        let expected = [created, updated, deleted, false].reduce(into: [Int]()) { sums, runs in
            sums.append((sums.last ?? 0) + (runs ? 1 : 0))
        }
        #expect(counts == expected)
    }

    @Test func `a type with the principal names it`() async throws {
        try harness.registerSecond(type: "written.withAuthContext")
        let principal = EventPrincipal(.serviceAccount, id: "a b@example.com")
        let event = try #require(await posted(Samples.write("notes/1", nil, [:], principal: principal)).first)
        #expect(event.header("ce-type") == "google.cloud.firestore.document.v1.written.withAuthContext")
        #expect(event.header("ce-authtype") == "service_account")
        #expect(event.header("ce-authid") == "a b@example.com")
    }

    @Test func `names are sent as they are, but for control characters`() async throws {
        try harness.registerSecond()
        let event = try #require(await posted(Samples.write("notes/H\u{E9}l 100%\"\r\n\u{7F}", nil, [:])).first)
        #expect(event.header("ce-document") == "notes/H\u{E9}l 100%\"%0D%0A%7F")
        #expect(event.header("ce-subject") == "documents/notes/H\u{E9}l 100%\"%0D%0A%7F")
    }

    @Test(arguments: [("notes/1", "other"), ("rooms/1", "(default)")])
    func `other databases and other documents run nothing`(path: String, database: String) async throws {
        try harness.registerFirst()
        try harness.registerSecond()
        #expect(await posted(try Samples.write(path, nil, [:], database: database)).isEmpty)
    }

    @Test func `a document that is damaged in the file is reported and not sent`() async throws {
        try harness.registerSecond()
        let path = try DocumentPath(parsing: "notes/1")
        let damaged = Document(
            path: path,
            encodedFields: EncodedFields(stored: [0x12, 0xFF]),
            createTime: Samples.time,
            updateTime: Samples.time
        )
        let write = ChangedDocument(
            database: DatabaseID(project: "demo"),
            path: path,
            before: nil,
            after: damaged,
            commitTime: Samples.time
        )
        #expect(await posted(write).isEmpty)
        #expect(harness.warnings.count == 1)
        #expect(harness.events.invocations["us-central1-second"]?.failed == 1)
    }
}
