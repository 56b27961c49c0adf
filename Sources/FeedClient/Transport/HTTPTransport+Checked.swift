// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONReading
import SessionLog

extension HTTPTransport {
    /// The body of a response with status 200; every other end becomes a ``FeedError`` that names the subject.
    ///
    /// A cancelled task ends in `CancellationError`, in whatever words the transport reports it.
    /// The received part of the body is booked in the ledger, also when it is refused or breaks off.
    func body(
        of request: TransportRequest,
        subject: String,
        ledger: ByteLedger? = nil
    ) async throws -> Data {
        let response: TransportResponse
        let body: Data
        do {
            response = try await send(request)
            let cause: ByteCause = response.status == 200 ? .documents : .failed
            let pieces = response.body.observed(by: { ledger?.record($0.count, as: cause) })
            body = try await pieces.collected()
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            if let error = error as? FeedError { throw error }
            throw FeedError.noResponse(for: subject, cause: error)
        }
        guard response.status == 200 else {
            let message = ServerMessage.text(in: body)
            throw FeedError.serverRefused(subject, status: response.status, serverMessage: message)
        }
        return body
    }
}

/// Finds the words of a refusal.
enum ServerMessage {
    /// Longer messages are cut: a proxy may answer with a whole page.
    static let characterCountMax = 300

    static func text(in body: Data) -> String {
        let message = googleError(in: body) ?? String(decoding: body, as: UTF8.self)
        let trimmed = message.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? "(no message)" : String(trimmed.prefix(characterCountMax))
    }

    /// `{"error":{"message":…}}`, or the same inside an array, as streamed answers have it.
    private static func googleError(in body: Data) -> String? {
        guard let value = try? JSONValue(parsing: Array(body)) else { return nil }
        return (value.array?.first ?? value)["error"]?["message"]?.string
    }
}
