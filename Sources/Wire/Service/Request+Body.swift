// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import HummingbirdCore
package import JSON
import NIOConcurrencyHelpers
package import NIOCore

/// Why a request's body cannot be had.
package enum RequestBodyError: Error, Equatable {
    /// It is larger than the request may have.
    case tooLarge
    /// It was cut off, or not chunked as HTTP/1.1 says.
    case broken
    /// It does not fit into memory at the moment.
    case memoryExceeded(BudgetExceeded)
}

extension Request {
    /// Returns the body once its last byte has come.
    ///
    /// It is admitted by the length that the head declares, if it does: else many that come at a time would all be
    /// refused half-way. The HTTP library takes the end of its channel for the end of a body (hummingbird 2.28,
    /// `NIOAsyncChannelRequestBody`), so the length is also compared with what has come.
    package func wholeBody(
        upTo byteCountMax: Int,
        in memory: ByteReservation
    ) async throws(RequestBodyError) -> ByteBuffer {
        let declared = headers[.contentLength].flatMap(Int.init)
        guard declared ?? 0 <= byteCountMax else { throw .tooLarge }
        var collected = ByteBuffer()
        do {
            try memory.hold(declared ?? 0)
            for try await piece in body {
                let byteCount = collected.readableBytes + piece.readableBytes
                guard byteCount <= byteCountMax else { throw RequestBodyError.tooLarge }
                try memory.hold(byteCount)
                collected.writeImmutableBuffer(piece)
            }
        } catch let error as BudgetExceeded {
            throw .memoryExceeded(error)
        } catch {
            throw (error as? RequestBodyError) ?? .broken
        }
        guard declared ?? collected.readableBytes == collected.readableBytes else { throw .broken }
        return collected
    }
}

/// Holds the body of one answer.
package final class BodyCollector: ResponseBodyWriter {
    private let collected = NIOLockedValueBox(ByteBuffer())

    /// Creates a collector without bytes.
    package init() {}

    /// The bytes written so far.
    package var bytes: ByteBuffer { collected.withLockedValue { $0 } }

    package func write(_ buffer: ByteBuffer) async throws {
        collected.withLockedValue { _ = $0.writeImmutableBuffer(buffer) }
    }

    package consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension Response {
    /// The head as it is sent, and whether the body follows it.
    func head(answering request: Request, in exchange: Exchange) -> (head: HTTPResponse, hasBody: Bool) {
        var head = head
        head.headerFields[.date] = exchange.date
        guard head.status != .noContent, head.status != .notModified else {
            head.headerFields[.contentLength] = nil
            return (head, false)
        }
        return (head, request.method != .head)
    }
}

extension Response {
    /// A JSON answer.
    package static func json(_ json: JSONText, status: Int = 200, isIndented: Bool = true) -> Response {
        text(json.rendered(isIndented: isIndented), contentType: "application/json; charset=UTF-8", status: status)
    }

    /// A JSON answer as the client wants it.
    package static func json(_ json: JSONText, status: Int = 200, in form: AnswerForm) -> Response {
        text(form.rendered(json), contentType: form.contentType, status: status)
    }

    /// An answer of text in the given media type.
    package static func text(_ text: String, contentType: String, status: Int = 200) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
