// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension CallError {
    /// The text of the official emulator 1.19.9 for JSON it cannot read (measured 2026-11).
    static let payloadInvalid = invalid("Payload isn't valid for request.")

    static let pathNotFound = Self(code: .notFound, message: "Not Found")

    static let queryMalformed = invalid(
        "The query of the request holds a broken percent escape; encode names and values as UTF-8."
    )

    static let preconditionAmbiguous = invalid(
        "currentDocument.exists and currentDocument.updateTime exclude each other; keep one."
    )

    static let unexpected = Self(code: .internal, message: "The server failed in an unexpected way.")

    static func parameterRepeated(_ name: String) -> Self {
        invalid("Query parameter \"\(name)\" may appear only once.")
    }

    static func parameterInvalid(_ name: String) -> Self {
        invalid("Query parameter \"\(name)\" has a value of the wrong type.")
    }

    static func parameterUnknown(_ name: String) -> Self {
        invalid("Unknown query parameter \"\(name)\"; remove it or check its spelling.")
    }

    static func pathSegmentMalformed(_ index: Int) -> Self {
        invalid("Path segment \(index) is empty, holds a broken percent escape or an encoded \"/\".")
    }

    static func nameMismatch(url: String) -> Self {
        invalid("The body names another resource than the URL; leave the name out or make it \"\(url)\".")
    }

    /// The text of the official emulator 1.19.9, except about transactions, which it has (measured 2026-11).
    static func callUnimplemented(_ call: RESTCall) -> Self {
        if call == .beginTransaction || call == .rollback { return transactionUnimplemented }
        let method = call.rawValue.prefix(1).uppercased() + call.rawValue.dropFirst()
        return unimplemented("Method google.firestore.v1.Firestore/\(method) is unimplemented")
    }
}
