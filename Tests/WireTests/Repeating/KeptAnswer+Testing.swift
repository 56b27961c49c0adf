// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore

@testable import Wire

extension KeptAnswer {
    /// A download of an object: a head of 100 bytes, and 1,000 behind it.
    static func download(of object: String) -> KeptAnswer {
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        attribution.object = object
        return KeptAnswer(
            head: ByteBuffer(string: "GET /\(object) HTTP/1.1\r\n\r\n"),
            exchange: Exchange(attribution: attribution),
            status: 200,
            sent: TransferredBytes(header: 100, body: 1_000),
            isCurrent: { true }
        )
    }
}
