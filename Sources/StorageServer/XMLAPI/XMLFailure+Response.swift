// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore

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
