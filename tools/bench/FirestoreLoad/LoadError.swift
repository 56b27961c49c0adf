// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a measurement is worthless: what is wrong, never what the message carried.
struct LoadError: Error {
    var message: String

    static func system(_ call: String, _ number: Int32) -> LoadError {
        LoadError(message: "\(call) failed: error \(number)")
    }

    static func refused(path: String, status: Int, message: String) -> LoadError {
        LoadError(message: "\(path) answered grpc-status \(status): \(message)")
    }

    static func unexpected(_ what: String) -> LoadError {
        LoadError(message: "the server sent \(what)")
    }
}
