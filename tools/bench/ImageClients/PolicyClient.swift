// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

/// A device with an app that loads by the policy of another library: by URL, through a cache in memory and one on disk.
actor PolicyClient: ImageClient {
    private struct Entry: Sendable {
        let data: Data
        let entityTag: String
        var time: Int
    }

    private let policy: ClientPolicy
    private let storage: URL
    private let bucket: String
    private let transport: any HTTPTransport
    private var memory: MemoryCache<Entry>
    private var disk: MemoryCache<Entry>
    private var partials: MemoryCache<Entry>?
    private var seconds = 0

    init(_ policy: ClientPolicy, storage: URL, bucket: String, transport: any HTTPTransport) {
        self.policy = policy
        self.storage = storage
        self.bucket = bucket
        self.transport = transport
        memory = MemoryCache(byteCountMax: policy.memoryByteCountMax)
        disk = MemoryCache(byteCountMax: policy.diskByteCountMax)
        partials = Self.makePartials(policy)
    }

    private static func makePartials(_ policy: ClientPolicy) -> MemoryCache<Entry>? {
        policy.partialByteCountMax > 0 ? MemoryCache(byteCountMax: policy.partialByteCountMax) : nil
    }

    func show(_ picture: Picture) async throws -> Data { try await image(request(picture)) }

    func showUnversioned(_ picture: Picture) async throws -> Data {
        var picture = picture
        picture.token = nil
        let request = request(picture)
        switch policy.refresh {
        case .whole: return try await load(request, known: nil).data
        case .conditional: return try await load(request, known: disk.value(for: request.url.absoluteString)).data
        }
    }

    func settle() async {}
    /// None of them knows of uploads (Nuke#385).
    func hasUploaded(_ picture: Picture, _ data: Data) async {}

    func relaunch() async {
        memory.removeAll()
        partials = Self.makePartials(policy)
    }

    func wait(seconds: Int) async { self.seconds += seconds }

    private func request(_ picture: Picture) -> TransportRequest {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-_.")
        let name = picture.objectName.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        let token = picture.token.map { "&token=\($0)" } ?? ""
        let text = "\(storage.absoluteString)/v0/b/\(bucket)/o/\(name)?alt=media\(token)"
        return TransportRequest(method: "GET", url: URL(string: text) ?? storage)
    }

    private func image(_ request: TransportRequest) async throws -> Data {
        let key = request.url.absoluteString
        if let entry = memory.value(for: key), seconds - entry.time < policy.memorySeconds { return entry.data }
        if var entry = disk.value(for: key), seconds - entry.time < policy.diskSeconds {
            entry.time = seconds
            disk.store(entry, for: key, byteCount: entry.data.count)
            storeInMemory(entry, key)
            return entry.data
        }
        return try await load(request, known: nil).data
    }

    private func load(_ request: TransportRequest, known: Entry?) async throws -> Entry {
        let key = request.url.absoluteString
        var request = request
        let partial = partials?.value(for: key)
        if let partial {
            request.headers["Range"] = "bytes=\(partial.data.count)-"
            request.headers["If-Range"] = partial.entityTag
        } else if let known {
            request.headers["If-None-Match"] = known.entityTag
        }
        let response = try await transport.send(request)
        let entityTag = response.headers["ETag"] ?? ""
        var data = response.status == 206 ? partial?.data ?? Data() : Data()
        do {
            for try await piece in response.body { data.append(piece) }
        } catch {
            partials?.store(Entry(data: data, entityTag: entityTag, time: seconds), for: key, byteCount: data.count)
            throw error
        }
        partials?.remove(key)
        if response.status == 304, let known { return known }
        guard response.status == 200 || response.status == 206 else { throw URLError(.badServerResponse) }
        let entry = Entry(data: data, entityTag: entityTag, time: seconds)
        disk.store(entry, for: key, byteCount: data.count)
        storeInMemory(entry, key)
        return entry
    }

    private func storeInMemory(_ entry: Entry, _ key: String) {
        guard entry.data.count <= policy.memoryEntryByteCountMax else { return }
        memory.store(
            Entry(data: entry.data, entityTag: entry.entityTag, time: seconds),
            for: key,
            byteCount: entry.data.count
        )
    }
}
