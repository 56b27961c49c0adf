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

    /// An attribution from the request head alone: the client, the user and the caller's tag.
    static func unattributed(request: HTTPRequest, from caller: Caller, service: Service) -> Self {
        var attribution = Self(service: service, operation: "\(service.rawValue).unknown")
        attribution.client = client(of: request.headerFields)
        attribution.user = caller.userID
        attribution.tag = tagName.flatMap { request.headerFields[$0] }.map(cutTag)
        return attribution
    }

    /// Firebase and Google SDKs name themselves in headers of their own; every other client in `User-Agent`.
    private static func client(of fields: HTTPFields) -> String? {
        let value = clientNames.lazy.compactMap { fields[$0] }.first { !$0.isEmpty }
        return value.map(cutClient)
    }

    /// The parts of a client's name that are new with every request or attempt.
    ///
    /// `x-goog-api-client` of Google's Storage clients has `gccl-invocation-id/<UUID>` (`_helpers.py` of google-cloud-storage
    /// 3.17.1) and, in Go and PHP, `gccl-attempt-count/<number>`; the user agent of gcloud has `invocation-id/<hex>`
    /// (`googlecloudsdk/core/transport.py` of Google Cloud SDK 528).
    private static let requestTokens = ["gccl-invocation-id/", "gccl-attempt-count/", "invocation-id/"]

    /// Names a client alike in all its requests.
    static func cutClient(_ name: String) -> String {
        let tokens = name.split(separator: " ")
        guard tokens.contains(where: isOfOneRequest) else { return cut(name, to: clientByteCountMax) }
        return cut(tokens.filter { !isOfOneRequest($0) }.joined(separator: " "), to: clientByteCountMax)
    }

    private static func isOfOneRequest(_ token: Substring) -> Bool {
        requestTokens.contains { token.hasPrefix($0) }
    }

    static func cutTag(_ tag: String) -> String { cut(tag, to: tagByteCountMax) }

    private static func cut(_ text: String, to byteCount: Int) -> String {
        guard text.utf8.count > byteCount else { return text }
        return String(decoding: text.utf8.prefix(byteCount), as: UTF8.self)
    }
}
