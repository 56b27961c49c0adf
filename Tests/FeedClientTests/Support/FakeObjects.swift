// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// Objects behind the transport's seam, served as Cloud Storage serves them, and failing on demand.
final class FakeObjects: HTTPTransport {
    struct Object: Sendable {
        var data: Data
        var generation: Int64 = 1
        var headers: [String: String] = [:]

        var entityTag: String { "\"\(data.crc32c)-\(generation)\"" }
    }

    enum Fault: Sendable {
        /// Another status than 200.
        case status(Int, headers: [String: String] = [:])
        /// No response at all.
        case noResponse
        /// The connection ends after a number of bytes.
        case cut(after: Int)
        /// All of the object is sent, whatever part was asked for, and the connection ends after a number of bytes.
        case wholeCut(after: Int)
        /// Nothing more comes after this many bytes.
        case stall(after: Int)
        /// One byte is another.
        case corrupt(at: Int)
        /// The part that was asked for is answered with another one.
        case otherRange
    }

    private struct State {
        var objects: [String: Object] = [:]
        var faults: [String: [Fault]] = [:]
        var requests: [TransportRequest] = []
        var bodyByteCount = 0
    }

    private let state = Locked(State())
    private let pieceByteCount: Int

    init(_ objects: [String: Object] = [:], pieceByteCount: Int = 16 << 10) {
        self.pieceByteCount = pieceByteCount
        state.withLock { $0.objects = objects }
    }

    convenience init(_ name: String, _ data: Data, faults: [Fault] = []) {
        self.init([name: Object(data: data)])
        state.withLock { $0.faults[name] = faults }
    }

    var requests: [TransportRequest] { state.withLock { $0.requests } }
    /// The bytes of bodies read by the client.
    var bodyByteCount: Int { state.withLock { $0.bodyByteCount } }

    func put(_ object: Object?, at name: String) { state.withLock { $0.objects[name] = object } }
    func fail(_ name: String, _ faults: [Fault]) { state.withLock { $0.faults[name] = faults } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let name = request.url.lastPathComponent
        let (object, fault) = state.withLock { state -> (Object?, Fault?) in
            state.requests.append(request)
            let fault = state.faults[name]?.isEmpty == false ? state.faults[name]?.removeFirst() : nil
            return (state.objects[name], fault)
        }
        var response = try Answer(request, object, fault, pieceByteCount).response()
        response.body = response.body.observed { [state] piece in state.withLock { $0.bodyByteCount += piece.count } }
        return response
    }
}

extension FakeObjects {
    /// One answer to one request.
    private struct Answer {
        let request: TransportRequest
        let object: Object?
        let fault: Fault?
        let pieceByteCount: Int

        init(_ request: TransportRequest, _ object: Object?, _ fault: Fault?, _ pieceByteCount: Int) {
            self.request = request
            self.object = object
            self.fault = fault
            self.pieceByteCount = pieceByteCount
        }

        func response() throws -> TransportResponse {
            switch fault {
            case .noResponse: throw URLError(.networkConnectionLost)
            case .status(let status, let headers): return refusal(status, headers)
            default: break
            }
            guard let object else { return refusal(404, [:]) }
            if request.headers["If-None-Match"] == object.entityTag {
                return TransportResponse(status: 304, headers: headers(object), body: Data())
            }
            return media(object)
        }

        private func refusal(_ status: Int, _ headers: [String: String]) -> TransportResponse {
            let body = #"{"error":{"code":\#(status),"message":"Fault."}}"#
            return TransportResponse(status: status, headers: HeaderFields(headers), body: Data(body.utf8))
        }

        private func headers(_ object: Object, _ more: [String: String] = [:]) -> HeaderFields {
            var hash = object.data.crc32c.bigEndian
            let crc32c = withUnsafeBytes(of: &hash) { Data($0).base64EncodedString() }
            let fields = [
                "ETag": object.entityTag, "Cache-Control": "private, max-age=0",
                "x-goog-generation": "\(object.generation)", "x-goog-hash": "crc32c=\(crc32c), md5=x",
            ]
            return HeaderFields(fields.merging(object.headers) { $1 }.merging(more) { $1 })
        }

        private func media(_ object: Object) -> TransportResponse {
            var (start, end) = (0, object.data.count)
            let range = request.headers["Range"].map { $0.dropFirst("bytes=".count).split(separator: "-") }
            var isSentWhole = false
            if case .wholeCut = fault { isSentWhole = true }
            let isRanged =
                range != nil && !isSentWhole && (request.headers["If-Range"] ?? object.entityTag) == object.entityTag
            if isRanged, let range {
                start = range.first.flatMap { Int($0) } ?? 0
                end = range.count > 1 ? min(end, (Int(range[1]) ?? 0) + 1) : end
            }
            guard start < object.data.count || !isRanged else { return refusal(416, [:]) }
            if case .otherRange = fault { (start, end) = (start / 2 + 1, object.data.count) }
            var body = object.data[start..<end]
            if case .corrupt(let offset) = fault { body[body.startIndex + offset] ^= 1 }
            var more = ["Content-Length": object.headers["Content-Length"] ?? "\(body.count)"]
            if isRanged { more["Content-Range"] = "bytes \(start)-\(end - 1)/\(object.data.count)" }
            return TransportResponse(status: isRanged ? 206 : 200, headers: headers(object, more), body: pieces(body))
        }

        private func pieces(_ body: Data) -> TransportBody {
            let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
            var rest = body
            switch fault {
            case .cut(let count), .stall(let count), .wholeCut(let count): rest = rest.prefix(count)
            default: break
            }
            while !rest.isEmpty {
                continuation.yield(Data(rest.prefix(pieceByteCount)))
                rest = rest.dropFirst(pieceByteCount)
            }
            switch fault {
            case .cut, .wholeCut: continuation.finish(throwing: URLError(.networkConnectionLost))
            case .stall: break
            default: continuation.finish()
            }
            // A stalled body lasts until it is no longer read.
            continuation.onTermination = { _ in withExtendedLifetime(continuation) {} }
            return TransportBody(stream)
        }
    }
}
