// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreServer
import NIOConcurrencyHelpers
import Wire

/// A REST face on an empty store whose clock stands still by default: commits are a microsecond apart.
struct FirestoreFixture {
    static let database = "projects/demo/databases/(default)"
    static let documents = "\(database)/documents"
    static let newID = "idOf20CharactersLong"

    let face: FirestoreREST
    let store: SQLiteDocumentStore
    private let now = NIOLockedValueBox(Timestamp(seconds: 1_795_222_149, nanoseconds: 100_000_000))

    init(judge: CurrentJudge = CurrentJudge()) throws {
        store = try SQLiteDocumentStore(location: .memory) { [now] in now.withLockedValue { $0 } }
        let calls = FirestoreCalls(
            store: store,
            transactions: TransactionManager(store: store),
            listening: try ListenHub(store: store),
            judge: judge,
            makeDocumentID: { Self.newID }
        )
        face = FirestoreREST(calls: calls)
    }

    /// Lets the store's clock run on.
    func advance(seconds: Int64) {
        now.withLockedValue { $0 = Timestamp(seconds: $0.seconds + seconds, nanoseconds: $0.nanoseconds) }
    }

    /// Sends a request as the administrator; `path` follows the database's documents, with its `/` or `:`.
    @discardableResult
    func send(_ method: String, _ path: String, _ body: String = "") async -> RESTResponse {
        await send(RESTRequest(method, "/v1/\(Self.documents)\(path)", body))
    }

    /// Sends a request as it is.
    @discardableResult
    func send(_ request: RESTRequest) async -> RESTResponse {
        await face.respond(to: request)
    }

    /// Creates `cities` with a population each, in one commit.
    func addCities(_ populations: KeyValuePairs<String, Int>) async {
        let writes = populations.map { name, population in
            """
            {"update":{"name":"\(Self.documents)/cities/\(name)",
                       "fields":{"pop":{"integerValue":"\(population)"}}}}
            """
        }
        await send("POST", ":commit", #"{"writes":[\#(writes.joined(separator: ","))]}"#)
    }
}

extension RESTRequest {
    /// A request of the administrator.
    init(_ method: String, _ target: String, _ body: String = "", authorization: String? = "Bearer owner") {
        self.init(method: method, target: target, body: Array(body.utf8), caller: Caller(authorization: authorization))
    }
}

extension RESTResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
