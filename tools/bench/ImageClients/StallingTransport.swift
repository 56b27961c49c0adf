// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FaultPlanning
import FeedClient
import Foundation
import SessionLog

/// Lets downloads that were announced stop after a number of KiB, by the emulator's fault API: what a user on a slow link has
/// received when he looks away, exactly, in the client's count and in the meter's.
///
/// The emulator ends the connection there; the client gets no signal, but waits for more until it is cancelled.
final class StallingTransport: HTTPTransport {
    private struct Stall {
        let kibibyteCount: Int
        let isReached: AsyncStream<Void>.Continuation
    }

    private let base: any HTTPTransport
    private let storage: URL
    private let stalls = Locked<[String: Stall]>([:])
    private let downloads = Locked(0)

    init(_ base: any HTTPTransport, storage: URL) {
        self.base = base
        self.storage = storage
    }

    /// The downloads that clients have begun.
    var downloadCount: Int { downloads.withLock { $0 } }

    /// Announces a stall of the next download of an object; the stream ends when this much has come, or all of it.
    func stall(_ objectName: String, afterKibibytes kibibyteCount: Int) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        stalls.withLock { $0[objectName] = Stall(kibibyteCount: kibibyteCount, isReached: continuation) }
        return stream
    }

    /// Takes back the part that was not requested.
    func forget(_ objectName: String) { stalls.withLock { $0[objectName] = nil } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        downloads.withLock { $0 += 1 }
        guard let stall = stalls.withLock({ $0.removeValue(forKey: request.url.lastPathComponent) }) else {
            return try await base.send(request)
        }
        var request = request
        request.headers["x-retry-test-id"] = try await base.planFault(
            "return-broken-stream-after-\(stall.kibibyteCount)K",
            at: storage
        )
        var response = try await base.send(request)
        response.body = Self.stalling(response.body, stall)
        return response
    }

    private static func stalling(_ body: TransportBody, _ stall: Stall) -> TransportBody {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
        let reading = Task {
            var received = 0
            do {
                for try await piece in body {
                    received += piece.count
                    continuation.yield(piece)
                }
                continuation.finish()
            } catch  where received >= stall.kibibyteCount << 10 {
                stall.isReached.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in reading.cancel() }
        return TransportBody(stream)
    }
}
