// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

extension SignedURL {
    /// How far a client's clock may be ahead, in seconds; as production.
    private static let skewMax: Int64 = 900
    /// Where a URL may have been meant for before it was sent here.
    private static let productionHost = "storage.googleapis.com"

    /// Throws unless the URL is good now, for this method and for these header fields.
    func judge(_ call: StorageCall, keys: SigningKeys, now: Int64) throws(XMLFailure) {
        guard now <= expiresAt else { throw .expired(at: expiresAt) }
        guard signedAt - now <= Self.skewMax else { throw .signedInTheFuture }
        let headers = try headers(of: call)
        if keys.isEmpty { return }
        for request in requests(call, headers: headers) {
            let text = request.stringToSign(algorithm, date: date, scope: credential.scope)
            if keys.verify(signature, of: text, by: credential, algorithm: algorithm) == true { return }
        }
        throw mismatch(requests(call, headers: headers).first)
    }

    /// The signed header fields other than the host, in the order of the list.
    private func headers(of call: StorageCall) throws(XMLFailure) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        for name in headerNames {
            guard name != "host" else {
                headers.append((name, ""))
                continue
            }
            let values = HTTPField.Name(name).map { call.request.headers[values: $0] } ?? []
            guard !values.isEmpty else { throw .missingHeader(name) }
            headers.append((name, values.joined(separator: ",")))
        }
        return headers
    }

    /// The forms that may have been signed.
    ///
    /// Clients differ in whether the port belongs to the host. A URL that was made for production, in either style,
    /// and then pointed here is good as well: an app under test often cannot pass to its signer where it runs.
    private func requests(
        _ call: StorageCall,
        headers: [(name: String, value: String)]
    ) -> [CanonicalRequest] {
        let authority = call.request.head.authority ?? ""
        let path = String(call.target.path)
        var places: [(host: String, path: String)] = []
        for path in [path, Self.normalised(path)] {
            places += [authority, Self.hostname(authority), Self.productionHost].map { ($0, path) }
            let segments = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            if segments.count == 3 { places.append(("\(segments[1]).\(Self.productionHost)", "/\(segments[2])")) }
        }
        let payload = call["x-goog-content-sha256"] ?? CanonicalRequest.unsignedPayload
        return places.map { place in
            CanonicalRequest(
                method: call.request.method.rawValue,
                path: place.path,
                query: call.target.query,
                headers: headers.map { $0.name == "host" ? ($0.name, place.host) : $0 },
                payload: payload
            )
        }
    }

    /// The path with everything coded that need be and nothing else, however the client coded it on the way.
    private static func normalised(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { segment in PercentCoding.decode(segment).map(PercentCoding.encode) ?? String(segment) }
            .joined(separator: "/")
    }

    private static func hostname(_ authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return authority }
        return String(authority[..<colon])
    }

    private func mismatch(_ request: CanonicalRequest?) -> XMLFailure {
        var failure = XMLFailure.signatureDoesNotMatch
        guard let request else { return failure }
        let text = request.stringToSign(algorithm, date: date, scope: credential.scope)
        failure.members = [
            XMLFailure.Member(name: "StringToSign", text: text),
            XMLFailure.Member(name: "CanonicalRequest", text: request.text),
        ]
        return failure
    }
}

extension XMLFailure {
    /// In production's words, quoted in public issues of 2024 to 2026.
    static let signatureDoesNotMatch = accessDenied(
        "SignatureDoesNotMatch",
        details: "The request signature we calculated does not match the signature you provided."
            + " Check your Google secret key and signing method."
    )

    fileprivate static let signedInTheFuture = accessDenied(
        "RequestTimeTooSkewed",
        details: "The request was signed for a time that is not yet; check the clock of the signer."
    )

    fileprivate static func expired(at second: Int64) -> Self {
        let time = UTCTime.text(seconds: second)
        return Self(
            400,
            code: "ExpiredToken",
            message: "Invalid argument.",
            details: "The provided token has expired. Request signature expired at: \(time)+00:00"
        )
    }

    fileprivate static func missingHeader(_ name: String) -> Self {
        var failure = Self(
            400,
            code: "MalformedSecurityHeader",
            message: "Your request has a malformed header.",
            details: "Header was included in signedheaders, but not in the request."
        )
        failure.members = [Member(name: "ParameterName", text: name)]
        return failure
    }

    private static func accessDenied(_ code: String, details: String) -> Self {
        Self(403, code: code, message: "Access denied.", details: details)
    }
}
