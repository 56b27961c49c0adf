// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import HummingbirdCore
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
        var collected = ByteBuffer()
        do {
            try memory.hold(min(declared ?? 0, byteCountMax))
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
