// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import Metering

extension UsageAttribution {
    /// A longer name of a client is cut to this many bytes.
    static let clientByteCountMax = 256

    /// A longer tag is cut to this many bytes.
    static let tagByteCountMax = 128
    /// The name of the field in which a caller says what a request is for, in the small letters of HTTP/2.
    package static let tagField = "x-firemeter-tag"
    private static let tagName = HTTPField.Name(tagField)
    private static let clientNames = [
        HTTPField.Name("X-Firebase-Storage-Version"), HTTPField.Name("X-Goog-Api-Client"), .userAgent,
    ]
    .compactMap(\.self)

    /// What the request head alone tells: the client, the user and the caller's tag.
    static func unattributed(request: HTTPRequest, service: Service) -> Self {
        var attribution = Self(service: service, operation: "\(service.rawValue).unknown")
        attribution.client = client(of: request.headerFields)
        attribution.user = Caller(authorization: request.headerFields[.authorization]).userID
        attribution.tag = tagName.flatMap { request.headerFields[$0] }.map(cutTag)
        return attribution
    }

    /// Firebase and Google SDKs name themselves in headers of their own; every other client in `User-Agent`.
    private static func client(of fields: HTTPFields) -> String? {
        let value = clientNames.lazy.compactMap { fields[$0] }.first { !$0.isEmpty }
        return value.map(cutClient)
    }

    static func cutClient(_ name: String) -> String { cut(name, to: clientByteCountMax) }

    static func cutTag(_ tag: String) -> String { cut(tag, to: tagByteCountMax) }

    private static func cut(_ text: String, to byteCount: Int) -> String {
        guard text.utf8.count > byteCount else { return text }
        return String(decoding: text.utf8.prefix(byteCount), as: UTF8.self)
    }
}
