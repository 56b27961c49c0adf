// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import HummingbirdCore
package import JSONWriting
import NIOCore

extension Response {
    /// A JSON answer.
    package static func json(_ json: JSONText, status: Int = 200, isIndented: Bool = true) -> Response {
        text(json.rendered(isIndented: isIndented), contentType: "application/json; charset=UTF-8", status: status)
    }

    /// A JSON answer as the client wants it.
    package static func json(_ json: JSONText, status: Int = 200, in form: AnswerForm) -> Response {
        text(form.rendered(json), contentType: form.contentType, status: status)
    }

    /// An answer of text in the given media type.
    package static func text(_ text: String, contentType: String, status: Int = 200) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
