// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Wire

/// An HTTP request as the REST face sees it: no connection, no library types.
package struct RESTRequest: Sendable {
    /// The method as written on the request line.
    package var method: String
    /// The raw path and query as written on the request line, still percent-encoded.
    package var target: String
    /// The whole body.
    package var body: [UInt8]
    /// The caller that the head names.
    package var caller: Caller
    /// The value of the `x-goog-fieldmask` field, the parameter `fields` as a header.
    package var fieldMask: String?

    /// Creates a request.
    package init(
        method: String,
        target: String,
        body: [UInt8] = [],
        caller: Caller = .anonymous,
        fieldMask: String? = nil
    ) {
        self.method = method
        self.target = target
        self.body = body
        self.caller = caller
        self.fieldMask = fieldMask
    }
}
