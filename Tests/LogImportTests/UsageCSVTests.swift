// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LogImport

struct UsageCSVTests {
    private static let heading =
        #""time_micros","c_ip","cs_method","cs_uri","sc_status","sc_bytes","cs_user_agent","s_request_id","cs_operation","#
        + #""cs_bucket","cs_object""#

    private static func row(
        _ time: Int,
        _ object: String = "u/p/0",
        bytes: Int = 10,
        uri: String = "/b/u/p/0",
        id: String = "r",
        operation: String = "GET_Object"
    ) -> String {
        #""\#(time)","1.2.3.4","GET","\#(uri)","200","\#(bytes)","Agent/1","\#(id)","\#(operation)","b","\#(object)""#
    }

    @Test func `a row is a request`() throws {
        let requests = try CollectedRequests.of(
            Self.heading + "\n" + Self.row(1_790_000_000_000_000, bytes: 2_326) + "\n"
        )
        #expect(requests.count == 1)
        #expect(requests[0].time == 1_790_000_000_000_000)
        #expect(requests[0].byteCount == 2_326)
        #expect((requests[0].bucket, requests[0].object) == ("b", "u/p/0"))
        #expect(requests[0].operation == .download)
    }

    @Test(
        arguments: [
            ("GET_Object", "/b/o", .download), ("HEAD_Object", "/b/o", .metadata), ("PUT_Object", "/b/o", .write),
            ("GET_Bucket", "/b", .list), ("storage.objects.list", "/storage/v1/b/b/o", .list),
            ("storage.objects.get", "/storage/v1/b/b/o/x?alt=media", .download),
            ("storage.objects.get", "/storage/v1/b/b/o/x", .metadata), ("storage.objects.insert", "/upload", .write),
            ("DELETE_Object", "/b/o", .delete), ("storage.buckets.get", "/storage/v1/b/b", .metadata),
            ("storage.objects.create", "/", .write), ("Odd", "/", .other),
        ] as [(String, String, LoggedOperation)]
    )
    func `operations of both APIs are known`(_ name: String, _ uri: String, _ operation: LoggedOperation) throws {
        let log = [Self.heading, Self.row(1, uri: uri, operation: name)].joined(separator: "\n")
        #expect(try CollectedRequests.of(log).map(\.operation) == [operation])
    }

    @Test(arguments: ["\n", "\r\n"])
    func `lines end either way, and the last may end without`(_ end: String) throws {
        let log = [Self.heading, Self.row(1), "", Self.row(2)].joined(separator: end)
        #expect(try CollectedRequests.of(log).map(\.time) == [1, 2])
        let others = [
            #""time_micros","sc_bytes","cs_object""#, #""1","10","a""#, #""time_micros","cs_object","sc_bytes""#,
            #""2","b","20""#,
        ].joined(separator: "\n")
        let requests = try CollectedRequests.of(others)
        #expect(requests.map(\.object) == ["a", "b"])
        #expect(requests.map(\.byteCount) == [10, 20])
    }

    @Test func `quotes in a field do not end it`() throws {
        let log = Self.heading + "\n" + Self.row(1, #"a ""b"", c"#) + "\n" + Self.row(2)
        #expect(try CollectedRequests.of(log).map(\.object) == [#"a ""b"", c"#, "u/p/0"])
    }

    @Test func `columns may be in another order, and bare`() throws {
        let log = "sc_bytes,time_micros,new_column,cs_operation\n5,7,x,GET_Object\n,8,,GET_Object\n"
        let requests = try CollectedRequests.of(log, .usageCSV)
        #expect(requests.map(\.time) == [7, 8])
        #expect(requests.map(\.byteCount) == [5, nil])
    }

    @Test func `files that were put together have headings in between`() throws {
        let log = [Self.heading, Self.row(1), Self.heading, Self.row(2)].joined(separator: "\n")
        #expect(try CollectedRequests.of(log).map(\.time) == [1, 2])
    }

    @Test func `lines over several blocks are whole`() throws {
        let rows = (0..<20_000).map { Self.row($0, "u/p/\($0)", bytes: $0, id: "id-\($0)") }
        let requests = try CollectedRequests.of(([Self.heading] + rows).joined(separator: "\n"))
        #expect(requests.count == 20_000)
        #expect(
            requests.enumerated().allSatisfy { $1.time == $0 && $1.object == "u/p/\($0)" && $1.byteCount == Int64($0) }
        )
    }

    @Test(
        arguments: [
            ("\"time_micros\",\"x\"\n", "line 1: expected the headings"),
            (
                "\"time_micros\",\"sc_bytes\"\n\"1\",\"2\"\n\"x\",\"2\"",
                "line 3: 'time_micros' is no number of microseconds"
            ),
            (heading + "\n" + row(1) + ",\"more\"\n", "line 2: expected 11 fields"),
            (heading + "\n\"1\",\"unclosed\n", "line 2: a quote is not closed"),
            (heading + "\n" + row(1) + "\n\"2\",\"1.2.3.4\"", "line 3: expected 11 fields"),
            (heading + "\r\n\r\n\"x\"", "line 3: expected 11 fields"),
            (heading + "\n" + row(999_999_999_999_999_999), "line 2: 'time_micros' is no number"),
        ]
    )
    func `a line that is wrong is named`(_ log: String, _ message: String) {
        let error = #expect(throws: LogImportError.self) { try CollectedRequests.of(log, .usageCSV) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `who asks is known by address and program`() throws {
        let other = Self.row(3).replacingOccurrences(of: "Agent/1", with: "Agent/2")
        let clients = try CollectedRequests.of([Self.heading, Self.row(1), Self.row(2), other].joined(separator: "\n"))
            .map(\.client)
        #expect(clients[0] == clients[1])
        #expect(clients[0] != clients[2])
    }
}
