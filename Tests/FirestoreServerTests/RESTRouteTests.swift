// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FirestoreServer

struct RESTRouteTests {
    @Test(
        arguments: [
            ("GET", "/cities", .listDocuments, ["cities"]),
            ("GET", "/cities/SF", .getDocument, ["cities", "SF"]),
            ("GET", "/cities/SF:runQuery", .getDocument, ["cities", "SF:runQuery"]),
            ("POST", "/cities", .createDocument, ["cities"]),
            ("POST", "/cities/SF/areas", .createDocument, ["cities", "SF", "areas"]),
            ("PATCH", "/cities/SF", .updateDocument, ["cities", "SF"]),
            ("DELETE", "/cities/SF", .deleteDocument, ["cities", "SF"]),
            ("POST", ":batchGet", .batchGetDocuments, []),
            ("POST", ":batchWrite", .batchWrite, []),
            ("POST", ":beginTransaction", .beginTransaction, []),
            ("POST", ":commit", .commit, []),
            ("POST", ":rollback", .rollback, []),
            ("POST", ":executePipeline", .executePipeline, []),
            ("POST", ":runQuery", .runQuery, []),
            ("POST", "/cities:runQuery", .createDocument, ["cities:runQuery"]),
            ("POST", "/cities:listCollectionIds", .listCollectionIDs, ["cities"]),
            ("POST", "/cities/SF/areas:runQuery", .runQuery, ["cities", "SF", "areas"]),
            ("POST", "/cities/S%3AF:runQuery", .runQuery, ["cities", "S:F"]),
            ("POST", "/cities/SF:runAggregationQuery", .runAggregationQuery, ["cities", "SF"]),
            ("POST", "/cities/SF:partitionQuery", .partitionQuery, ["cities", "SF"]),
            ("POST", "/cities/SF:listCollectionIds", .listCollectionIDs, ["cities", "SF"]),
        ] as [(String, String, RESTCall, [String])]
    )
    func `finds the call and the resource`(
        method: String,
        path: String,
        call: RESTCall,
        segments: [String]
    ) throws {
        let route = try RESTRoute(method: method, path: "/v1/projects/p/databases/%28default%29/documents\(path)")
        #expect(route.call == call)
        #expect(route.database == "projects/p/databases/(default)")
        #expect(route.segments == segments)
    }

    @Test func `names the resource and what is above it`() throws {
        let route = try RESTRoute(method: "GET", path: "/v1/projects/p/databases/d/documents/a/b")
        #expect(route.name == "projects/p/databases/d/documents/a/b")
        #expect(route.parent == "projects/p/databases/d/documents/a")
    }
}
