// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Wire

/// Why a request to a channel is refused; a refusal of the call itself goes over the channel.
enum ChannelRefusal: Error, Equatable {
    /// The session has ended, or there never was one: the page opens another.
    case unknownSession
    /// No client of channels sends this.
    case malformed
    case call(CallError)

    /// Puts a refusal of a call in its place.
    static func wrapping<Result>(_ body: () throws(CallError) -> Result) throws(ChannelRefusal) -> Result {
        do {
            return try body()
        } catch {
            throw .call(error)
        }
    }

    /// The answer; the client looks for the words "Unknown SID" behind the beginning of a 400
    /// (closure-library, `channelrequest.js`, 2026-11).
    var response: Response {
        switch self {
        case .unknownSession: .text("400: Unknown SID\n", contentType: "text/plain; charset=utf-8", status: 400)
        case .malformed:
            .text(
                "400: This is no request of a WebChannel, version 8.\n",
                contentType: "text/plain; charset=utf-8",
                status: 400
            )
        case .call(let error):
            .text("\(error.message)\n", contentType: "text/plain; charset=utf-8", status: error.code.httpStatus)
        }
    }
}
