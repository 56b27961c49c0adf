// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOHPACK

/// The header fields of responses; those that most calls send are made once.
enum ResponseHeaders {
    private static let plain: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]
    private static let detailsName = "grpc-status-details-bin"
    private static let success: HPACKHeaders = ["grpc-status": "0"]

    /// The head before the first message.
    static func head(_ metadata: Metadata, encoding: MessageEncoding) -> HPACKHeaders {
        var headers = plain
        if encoding != .identity { headers.add(name: "grpc-encoding", value: encoding.rawValue) }
        if !metadata.isEmpty { MetadataCoding.add(metadata, to: &headers) }
        return headers
    }

    /// The end after the last message.
    static func trailers(_ status: Status, metadata: Metadata) -> HPACKHeaders {
        guard status.code != .ok || !status.message.isEmpty || !metadata.isEmpty else { return success }
        var headers = HPACKHeaders()
        add(status, metadata: metadata, to: &headers)
        return headers
    }

    /// Head and trailers in one, for a response without messages.
    static func withoutMessages(
        _ status: Status,
        metadata: Metadata,
        acceptedEncodings: String? = nil
    ) -> HPACKHeaders {
        var headers = plain
        add(status, metadata: metadata, to: &headers)
        if let acceptedEncodings { headers.add(name: "grpc-accept-encoding", value: acceptedEncodings) }
        return headers
    }

    private static func add(_ status: Status, metadata: Metadata, to headers: inout HPACKHeaders) {
        headers.add(name: "grpc-status", value: String(status.code.rawValue))
        if !status.message.isEmpty {
            headers.add(name: "grpc-message", value: StatusMessageCoding.encode(status.message))
        }
        guard !metadata.isEmpty else { return }
        MetadataCoding.add(metadata, to: &headers)
        if byteCount(of: headers) > GRPCLimits.trailersByteCountMax { headers.remove(name: detailsName) }
    }

    /// The size as HTTP/2 counts it (RFC 9113 section 6.5.2).
    private static func byteCount(of headers: HPACKHeaders) -> Int {
        headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + RequestFields.fieldOverhead }
    }
}
