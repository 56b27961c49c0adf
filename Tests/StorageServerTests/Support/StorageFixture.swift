// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOConcurrencyHelpers
import NIOCore
import ObjectStore
import StorageServer
import TestSupport
import Wire

/// A server over an empty store, called in process.
struct StorageFixture {
    /// The time of every store: 2026-09-30, in microseconds since the Unix epoch.
    static let time: Int64 = 1_790_789_164_648_913

    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let server: StorageServer

    init(
        objectByteCountMax: Int64 = ObjectStoreConfiguration.objectByteCountMaxDefault,
        faults: FaultInjector = FaultInjector(),
        export: StorageServer.Exporting? = nil,
        exportGate: SameOriginGate? = nil,
        signingKeys: SigningKeys = SigningKeys(),
        judge: CurrentStorageJudge = CurrentStorageJudge(),
        projects: ProjectWatch? = nil,
        serverTime: Int64 = Self.time
    ) throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore(
            directory: directory.path,
            clock: { Self.time },
            configuration: ObjectStoreConfiguration(durability: .relaxed, objectByteCountMax: objectByteCountMax)
        )
        let tokenCount = NIOLockedValueBox(0)
        server = StorageServer(
            store: store,
            faults: faults,
            export: export,
            exportGate: exportGate,
            clock: { serverTime },
            signingKeys: signingKeys,
            judge: judge,
            projects: projects,
            makeToken: {
                tokenCount.withLockedValue { count in
                    count += 1
                    return "token-\(count)"
                }
            }
        )
    }

    /// Sends a request and collects its answer.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: [String: String] = [:],
        _ body: String = ""
    ) async throws -> Answer {
        try await send(method, path, headers, bytes: Array(body.utf8))
    }

    /// Sends a request whose body is not text.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: [String: String] = [:],
        bytes: [UInt8]
    ) async throws -> Answer {
        var head = HTTPRequest(method: method, scheme: "http", authority: "emulator.test:9199", path: path)
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value }
        }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes)))
        let exchange = Exchange(
            attribution: UsageAttribution(service: .storage, operation: "storage.unknown"),
            caller: Caller(authorization: head.headerFields[.authorization])
        )
        return try await Answer(await server.respond(to: request, exchange: exchange))
    }

    /// Stores `hello world` at `docs/a.txt` by a v0 upload of generation `time`.
    @discardableResult
    func putHello() async throws -> Answer {
        try await send(.post, "/v0/b/bkt/o?name=docs%2Fa.txt", ["Content-Type": "text/plain"], "hello world")
    }

    /// The bytes of a stored object; `nil` when there is none.
    func bytes(_ name: String) throws -> [UInt8]? {
        guard let path = ObjectPath(bucket: "bkt", name: name), let reader = try store.open(path) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(reader.metadata.byteCount))
        _ = try bytes.withUnsafeMutableBytes { try reader.read(at: 0, into: $0) }
        return bytes
    }

    /// Whether nothing is stored and nothing is left of what arrived.
    func isEmpty() throws -> Bool {
        guard let bucket = BucketName("bkt") else { return false }
        return try store.list(bucket).items.isEmpty && directory.byteFiles().isEmpty
    }
}
