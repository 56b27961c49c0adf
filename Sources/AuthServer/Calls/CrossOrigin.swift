// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore

extension HTTPFields {
    /// Lets a page of any origin call and read: no answer depends on cookies.
    mutating func allowCrossOrigin(for request: Request) {
        guard let origin = request.headers[.origin] else { return }
        self[.accessControlAllowOrigin] = origin
        self[.vary] = "Origin"
    }
}

extension Response {
    /// The answer to an OPTIONS request that asks before a cross-origin one.
    static func preflight(for request: Request) -> Response {
        var fields: HTTPFields = [.accessControlAllowMethods: "GET,HEAD,PUT,PATCH,POST,DELETE"]
        fields[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        if let asked = HTTPField.Name("Access-Control-Request-Private-Network"), request.headers[asked] != nil,
            let allowed = HTTPField.Name("Access-Control-Allow-Private-Network")
        {
            fields[allowed] = "true"
        }
        return Response(status: .noContent, headers: fields)
    }
}
