// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting

extension RESTResponse {
    /// Creates an error in the JSON form of Google's APIs.
    init(error: CallError, usage: CallUsage) {
        var body = Array(#"{"error":{"code":\#(error.code.httpStatus),"message":"#.utf8)
        body += Array(JSONText.quoted(error.message).utf8)
        body += Array(#","status":"\#(error.code.name)"}}"#.utf8)
        self.init(status: error.code.httpStatus, body: body, usage: usage)
    }
}
