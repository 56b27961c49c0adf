// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metering

extension UsageAttribution {
    /// A longer name of a client is cut to this many bytes.
    static let clientByteCountMax = 256

    /// What the request head alone tells: the client and the user.
    static func unattributed(request: HTTPRequest, service: Service) -> Self {
        var attribution = Self(service: service, operation: "\(service.rawValue).unknown")
        attribution.client = client(of: request.headerFields)
        attribution.user = Caller(authorization: request.headerFields[.authorization]).userID
        return attribution
    }

    /// Firebase and Google SDKs name themselves in headers of their own; every other client in `User-Agent`.
    private static func client(of fields: HTTPFields) -> String? {
        let names: [HTTPField.Name?] = [
            HTTPField.Name("X-Firebase-Storage-Version"), HTTPField.Name("X-Goog-Api-Client"), .userAgent,
        ]
        let value = names.lazy.compactMap { $0.flatMap { fields[$0] } }.first { !$0.isEmpty }
        return value.map(cutClient)
    }

    static func cutClient(_ name: String) -> String {
        guard name.utf8.count > clientByteCountMax else { return name }
        return String(decoding: name.utf8.prefix(clientByteCountMax), as: UTF8.self)
    }
}
