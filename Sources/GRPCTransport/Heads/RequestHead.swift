// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import Metering
import NIOHPACK
import Wire

/// The head of a call.
struct RequestHead {
    /// `/service/method`.
    let path: String
    /// The caller's metadata, without gRPC's own fields; computed each time.
    var metadata: Metadata { MetadataCoding.metadata(in: headers) }
    let timeout: Duration?
    /// How the client's messages are compressed.
    let encoding: MessageEncoding
    /// How ours are: as the client's, if it can read that.
    let responseEncoding: MessageEncoding
    private let headers: HPACKHeaders

    /// Reads the fields of a request.
    init(_ fields: borrowing RequestFields) throws(RequestRefusal) {
        guard Self.isGRPC(fields.contentType) else { throw .unsupportedMediaType }
        guard fields.method == "POST" else { throw .methodNotAllowed }
        guard fields.byteCount <= GRPCLimits.metadataByteCountMax else {
            throw .metadataTooLarge(byteCount: fields.byteCount)
        }
        encoding = try fields.encoding.map(Self.encoding) ?? .identity
        timeout = try fields.timeout.map { (text) throws(RequestRefusal) in
            guard let timeout = TimeoutCoding.decode(text) else { throw RequestRefusal.timeoutMalformed }
            return timeout
        }
        path = fields.path
        headers = fields.headers
        let isMirrored = encoding != .identity && fields.acceptedEncodings.map(encoding.isAccepted) ?? false
        responseEncoding = isMirrored ? encoding : .identity
    }

    private static func encoding(named name: String) throws(RequestRefusal) -> MessageEncoding {
        guard let encoding = MessageEncoding(rawValue: name) else { throw .encodingUnknown(name) }
        return encoding
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
    let headers: HPACKHeaders
    private(set) var method = ""
    private(set) var path = ""
    private(set) var contentType: String?
    private(set) var timeout: String?
    private(set) var encoding: String?
    private(set) var acceptedEncodings: String?
    private(set) var authorization: String?
    /// How the client names itself.
    private(set) var client: String?
    /// The purpose of the request, as the client states it.
    private(set) var tag: String?
    /// The size as HTTP/2 counts it (RFC 9113 section 6.5.2).
    private(set) var byteCount = 0

    /// A field counts this beside its name and value.
    static let fieldOverhead = 32

    init(_ headers: HPACKHeaders) {
        self.headers = headers
        sort()
    }

    private mutating func sort() {
        var userAgent: String?
        for (name, value, _) in headers {
            byteCount += name.utf8.count + value.utf8.count + Self.fieldOverhead
            // The length alone distinguishes most names, quicker than comparing them would.
            switch (name.utf8.count, name) {
            case (5, ":path"): path = value
            case (7, ":method"): method = value
            case (12, "content-type"): contentType = value
            case (12, "grpc-timeout"): timeout = value
            case (13, "grpc-encoding"): encoding = value
            case (20, "grpc-accept-encoding"): acceptedEncodings = value
            case (13, "authorization"): authorization = value
            case (17, "x-goog-api-client"): client = value
            case (10, "user-agent"): userAgent = value
            case (15, UsageAttribution.tagField): tag = value
            default: break
            }
        }
        client = client ?? userAgent
    }
}
