// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FaultPlanning
import FeedClient
import Foundation
import SessionLog

/// Has the server fail the next downloads of one object, as its fault API plans.
final class FaultyDownloads: HTTPTransport {
    private let base: any HTTPTransport
    private let storage: URL
    private let faults: Locked<[String: [String]]>

    /// `faults` are the faults of each download, by a part of the object's address.
    init(_ base: any HTTPTransport, storage: URL, faults: [String: [String]]) {
        (self.base, self.storage) = (base, storage)
        self.faults = Locked(faults)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let fault = faults.withLock { faults -> String? in
            guard let name = faults.keys.first(where: { request.url.absoluteString.contains($0) }) else { return nil }
            return faults[name]?.isEmpty == false ? faults[name]?.removeFirst() : nil
        }
        guard let fault else { return try await base.send(request) }
        var request = request
        request.headers["x-retry-test-id"] = try await base.planFault(fault, at: storage)
        return try await base.send(request)
    }
}
