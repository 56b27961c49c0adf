// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore

/// An answer of the XML API other than success.
struct XMLFailure: Error, Equatable {
    /// Something more in an answer.
    struct Member: Equatable {
        let name: String
        let text: String
    }

    let status: Int
    /// Google's name of the error.
    let code: String
    let message: String
    /// The details of this case.
    var details: String?
    /// Further details for diagnosis.
    var members: [Member] = []

    init(_ status: Int, code: String, message: String, details: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
    }
}

extension XMLFailure {
    /// The answer.
    var response: Response {
        let summary: [XMLText?] = [
            .element("Code", code),
            .element("Message", message),
            details.map { .element("Details", $0) },
        ]
        return .xml(.element("Error", summary + members.map { .element($0.name, $0.text) }), status: status)
    }
}
