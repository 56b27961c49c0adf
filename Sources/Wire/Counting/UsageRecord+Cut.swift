// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageRecord {
    /// Makes this, the record of a whole answer, that of one that broke off; its head went before its body.
    mutating func cut(toSentByteCount count: Int64, cause: AbortCause?) {
        let header = min(count, self.sent.header)
        let body = min(count - header, self.sent.body)
        self.sent = TransferredBytes(header: header, body: body, wire: header + body)
        self.billed.egressBytes = min(self.billed.egressBytes, body)
        self.outcome = .aborted
        self.abortCause = cause
    }
}
