// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
import Foundation
import Metering
package import SessionLog

/// Asks a running emulator where its services are and what they have used.
package struct ConsoleClient: Sendable {
    private let address: String
    private let transport: any HTTPTransport

    /// Creates a client of the console at `host:port`.
    package init(address: String, transport: any HTTPTransport = URLSessionTransport()) {
        self.address = address
        self.transport = transport
    }

    /// Where a feed lives among the emulator's services.
    package func endpoint(of feed: SessionHeader.Feed) async throws -> FeedEndpoint {
        let listeners = try await call([String: ListenerAnswer].self, method: "GET", path: "/emulators")
        guard let firestore = listeners["firestore"]?.url, let storage = listeners["storage"]?.url else {
            throw AuditError.emulatorFailed(address, because: "knows no Firestore and Storage")
        }
        return FeedEndpoint(
            firestore: firestore,
            storage: storage,
            project: feed.project,
            database: feed.database,
            collection: feed.collection,
            bucket: feed.bucket
        )
    }

    /// Marks the present moment of the meter.
    func mark() async throws -> MarkAnswer {
        try await call(MarkAnswer.self, method: "POST", path: "/usage/marks")
    }

    /// The usage since a mark, and the part that each service bills.
    func usage(since mark: MarkAnswer) async throws -> (totals: UsageTotals, billed: ServiceUsage) {
        let answer = try await call(
            ServiceUsageAnswer.self,
            method: "GET",
            path: "/usage?since=\(mark.mark)&by=service"
        )
        return (answer.total.totals, answer.billed)
    }

    private func call<Answer: Decodable>(_ type: Answer.Type, method: String, path: String) async throws -> Answer {
        guard let url = URL(string: "http://\(address)\(path)"), url.port != nil else {
            throw AuditError.notAnAddress(address)
        }
        let response: TransportResponse
        let body: Data
        do {
            response = try await transport.send(TransportRequest(method: method, url: url))
            body = try await response.body.collected()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AuditError.emulatorFailed(address, because: "does not answer; is it running?")
        }
        guard response.status == 200 else {
            let reason = FailureAnswer.reason(of: response.status, body: body, to: "\(method) \(path)")
            throw AuditError.emulatorFailed(address, because: reason)
        }
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw AuditError.emulatorFailed(
                address,
                because: "answers \(method) \(path) in another form; is it an emulator?"
            )
        }
    }
}
