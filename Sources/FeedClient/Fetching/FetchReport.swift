// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the loading of an image from the network ended, and which bytes came.
struct FetchReport: Sendable {
    enum Result: Sendable {
        case image(FetchedImage)
        /// The image that is known is still the server's.
        case notModified(freshUntil: Int64)
        case failure(FeedError)
        case cancelled
    }

    let result: Result
    let bytes: FetchBytes
    /// Whether the beginning that a cache had was found not to be the image's.
    var isHeadWrong = false

    /// The generation of the image that came.
    var servedGeneration: Int64? {
        guard case .image(let fetched) = result else { return nil }
        return fetched.generation
    }
}

/// An image that came whole.
struct FetchedImage: Sendable {
    let image: CachedImage
    /// The object's generation, which may be another than the one asked for.
    let generation: Int64?
    /// The image as a file that a disk cache can take in.
    let file: URL?
    /// Whether the server lets it be kept.
    let isStorable: Bool
}

/// The body bytes that a fetch brought.
struct FetchBytes: Sendable, Hashable {
    /// Bytes of the image.
    var image = 0
    /// Bytes of the image that an earlier fetch had brought.
    var resumed = 0
    /// Bytes of refusals, and of images that had to be thrown away.
    var lost = 0
    /// Whether the bytes of an image that is not whole are kept for a later fetch.
    var isKept = false

    /// Counts all that came of the image as lost.
    mutating func loseImage() {
        lost += image
        image = 0
        resumed = 0
    }
}

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why one attempt to load an image failed, and whether another may help.
struct FetchFailure: Error {
    let error: FeedError
    var isTransient = true
    var serverAsksFor: Duration?

    /// A response with a status other than success.
    static func refused(_ subject: String, response: TransportResponse, body: Data) -> Self {
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
    static func transport(_ subject: String, because cause: any Error) -> Self {
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
