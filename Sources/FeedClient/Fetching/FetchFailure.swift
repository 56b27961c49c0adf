// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why one attempt to load an image failed, and whether another may help.
struct FetchFailure: Error {
    let error: FeedError
    var isTransient = true
    var serverAsksFor: Duration?

    /// A response with a status other than success.
    static func refused(_ subject: String, _ response: TransportResponse, body: Data) -> Self {
        let isTransient = RetryPolicy.transientStatuses.contains(response.status)
        let message = ServerMessage.text(in: body)
        return Self(
            error: .serverRefused(subject, status: response.status, serverMessage: message),
            isTransient: isTransient,
            // A date, the field's other form, is for people and crawlers; Google's services give seconds.
            serverAsksFor: response.headers["Retry-After"].flatMap { Int64($0) }.map { .seconds(max(0, $0)) }
        )
    }

    /// No response, or one that broke off; an address that cannot work will not work later.
    static func transport(_ subject: String, _ cause: any Error) -> Self {
        if let error = cause as? FeedError { return Self(error: error, isTransient: false) }
        let isPermanent = (cause as? URLError).map { permanentCodes.contains($0.code) } ?? false
        return Self(error: .noResponse(for: subject, cause: cause), isTransient: !isPermanent)
    }

    private static let permanentCodes: Set<URLError.Code> = [
        .badURL, .unsupportedURL, .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
        .clientCertificateRequired, .httpTooManyRedirects, .dataNotAllowed,
    ]
}
