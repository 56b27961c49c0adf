// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import JSON
import SessionLog

/// Carries one HTTP request; the seam where an app brings its own networking, and a test none.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the response as soon as its head has come, whatever its status.
    ///
    /// Throws when no response came. Cancelling the task cancels the request, before the head and while the body comes;
    /// so does letting go of a body that was not read to its end.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// An HTTP request.
public struct TransportRequest: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: String
    /// The address; its percent encoding must reach the server unchanged.
    public var url: URL
    /// The header fields to add to those the transport sends anyway.
    public var headers: [String: String]
    /// The body.
    public var body: Data?

    /// Creates a request.
    public init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension TransportRequest {
    /// The path and the query as they are sent, percent-encoded.
    package var target: String {
        let url = URLComponents(url: url, resolvingAgainstBaseURL: false)
        return (url?.percentEncodedPath ?? "/") + (url?.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}

/// An HTTP response.
public struct TransportResponse: Sendable {
    /// The status, such as 200.
    public var status: Int
    /// The header fields.
    public var headers: HeaderFields
    /// The body without any transfer or content encoding, piece by piece.
    public var body: TransportBody

    /// Creates a response.
    public init(status: Int, headers: HeaderFields = [:], body: TransportBody) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response whose body is there already.
    public init(status: Int, headers: HeaderFields = [:], body: Data) {
        self.init(status: status, headers: headers, body: TransportBody(body))
    }
}

extension HTTPTransport {
    /// The body of a response with status 200; every other end becomes a ``FeedError`` that names the subject.
    ///
    /// A cancelled task ends in `CancellationError`, in whatever words the transport reports it.
    /// The received part of the body is booked in the ledger, also when it is refused or breaks off.
    func body(
        of request: TransportRequest,
        subject: String,
        ledger: ByteLedger?,
        openedBy credentials: CredentialStore?,
        scheme: AuthorizedTransport.Scheme
    ) async throws -> Data {
        guard let credentials else { return try await body(of: request, subject: subject, ledger: ledger) }
        let authorized = AuthorizedTransport(self, store: credentials, scheme: scheme)
        defer { ledger?.record(authorized.refusedByteCount, as: .failed) }
        return try await authorized.body(of: request, subject: subject, ledger: ledger)
    }

    private func body(of request: TransportRequest, subject: String, ledger: ByteLedger?) async throws -> Data {
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

/// The header fields of a response, found by their names in any case.
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [String: String] = [:]

    /// Creates fields from a dictionary; of names that differ only in case, one is kept.
    public init(_ fields: [String: String]) {
        for (name, value) in fields { values[name.lowercased()] = value }
    }

    /// Creates fields from a literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { values[name.lowercased()] = value }
    }

    /// The bytes of the fields in a head of HTTP/1.1.
    package var byteCount: Int { values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 } }

    /// The value of a field.
    public subscript(_ name: String) -> String? { values[name.lowercased()] }
}
