// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import NIOHPACK

/// The head of a call.
struct RequestHead {
    /// `/service/method`.
    let path: String
    /// What the caller sent beside gRPC's own fields; made anew each time.
    var metadata: Metadata { fields.metadata }
    let timeout: Duration?
    /// How the client's messages are compressed.
    let encoding: MessageEncoding
    /// How ours are: as the client's, if it can read that.
    let responseEncoding: MessageEncoding
    private let fields: RequestFields

    /// Reads the fields of a request.
    init(_ fields: RequestFields) throws(RequestRefusal) {
        guard Self.isGRPC(fields.contentType) else { throw .unsupportedMediaType }
        guard fields.method == "POST" else { throw .methodNotAllowed }
        guard fields.byteCount <= GRPCLimits.metadataByteCountMax else {
            throw .metadataTooLarge(byteCount: fields.byteCount)
        }
        guard let encoding = MessageEncoding(rawValue: fields.encoding ?? "identity") else {
            throw .encodingUnknown(fields.encoding ?? "")
        }
        timeout = try fields.timeout.map { (text) throws(RequestRefusal) in
            guard let timeout = TimeoutCoding.decode(text) else { throw RequestRefusal.timeoutMalformed }
            return timeout
        }
        path = fields.path
        self.fields = fields
        self.encoding = encoding
        let isMirrored = encoding != .identity && fields.acceptedEncodings.map(encoding.isAccepted) ?? false
        responseEncoding = isMirrored ? encoding : .identity
    }

    private static func isGRPC(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        if contentType == "application/grpc" { return true }
        let mediaType = contentType.prefix { $0 != ";" && $0 != " " }
        return mediaType == "application/grpc" || mediaType == "application/grpc+proto"
    }
}

/// The header fields of a request, sorted into gRPC's own and the caller's metadata.
struct RequestFields {
    private(set) var method = ""
    private(set) var path = ""
    private(set) var contentType: String?
    private(set) var timeout: String?
    private(set) var encoding: String?
    private(set) var acceptedEncodings: String?
    private(set) var authorization: String?
    /// How the client names itself.
    private(set) var client: String?
    /// The size as HTTP/2 counts it (RFC 9113 section 6.5.2).
    private(set) var byteCount = 0

    private static let fieldOverhead = 32

    private let headers: HPACKHeaders

    init(_ headers: HPACKHeaders) {
        self.headers = headers
        var userAgent: String?
        for (name, value, _) in headers {
            byteCount += name.utf8.count + value.utf8.count + Self.fieldOverhead
            switch name {
            case ":path": path = value
            case ":method": method = value
            case "content-type": contentType = value
            case "grpc-timeout": timeout = value
            case "grpc-encoding": encoding = value
            case "grpc-accept-encoding": acceptedEncodings = value
            case "authorization": authorization = value
            case "x-goog-api-client": client = value
            case "user-agent": userAgent = value
            default: break
            }
        }
        client = client ?? userAgent
    }

    /// All fields but those of HTTP/2 and gRPC.
    var metadata: Metadata {
        var metadata = Metadata()
        metadata.reserveCapacity(headers.count)
        for (name, value, _) in headers where !Self.protocolNames.contains(name) {
            MetadataCoding.add(name, value, to: &metadata)
        }
        return metadata
    }

    private static let protocolNames: Set = [
        ":path", ":method", ":scheme", ":authority", "te", "content-type", "grpc-timeout", "grpc-encoding",
        "grpc-accept-encoding",
    ]
}
