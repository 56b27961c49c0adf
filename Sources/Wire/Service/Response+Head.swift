// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

extension Response {
    /// The head as it is sent, and whether the body follows it.
    func head(answering request: Request, _ exchange: Exchange) -> (head: HTTPResponse, hasBody: Bool) {
        var head = head
        head.headerFields[.date] = exchange.date
        guard head.status != .noContent, head.status != .notModified else {
            head.headerFields[.contentLength] = nil
            return (head, false)
        }
        return (head, request.method != .head)
    }
}
