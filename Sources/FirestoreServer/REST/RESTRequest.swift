// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// An HTTP request as the REST face sees it: no connection, no library types.
package struct RESTRequest: Sendable {
    /// The method as written on the request line.
    package var method: String
    /// The raw path and query as written on the request line, still percent-encoded.
    package var target: String
    /// The whole body.
    package var body: [UInt8]
    /// The value of the `authorization` field.
    package var authorization: String?
    /// The value of the `x-goog-fieldmask` field, the parameter `fields` as a header.
    package var fieldMask: String?

    /// Creates a request.
    package init(
        method: String,
        target: String,
        body: [UInt8] = [],
        authorization: String? = nil,
        fieldMask: String? = nil
    ) {
        self.method = method
        self.target = target
        self.body = body
        self.authorization = authorization
        self.fieldMask = fieldMask
    }
}
