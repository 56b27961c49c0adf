// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The body that answers a call: all of it, or its beginning and how to make the rest.
struct RESTAnswer {
    let body: [UInt8]
    var rest: RESTAnswerRest?

    init(body: [UInt8], rest: RESTAnswerRest? = nil) {
        self.body = body
        self.rest = rest
    }
}
