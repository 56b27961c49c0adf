// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import HummingbirdCore

extension Response {
    /// The answer to an OPTIONS request that asks before a cross-origin one.
    package static func preflight(for request: Request) -> Response {
        var fields: HTTPFields = [
            .accessControlAllowMethods: "GET, HEAD, PUT, PATCH, POST, DELETE",
            .accessControlMaxAge: "3600",
        ]
        fields[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        if let asked = HTTPField.Name("Access-Control-Request-Private-Network"),
            let allowed = HTTPField.Name("Access-Control-Allow-Private-Network"), request.headers[asked] == "true"
        {
            fields[allowed] = "true"
        }
        return Response(status: .noContent, headers: fields)
    }
}
