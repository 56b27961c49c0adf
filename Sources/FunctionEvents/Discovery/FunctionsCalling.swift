// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// Asks the Functions emulator.
package protocol FunctionsCalling: Sendable {
    /// Sends a request without a body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The address.
    /// - Returns: The status and the body of the answer.
    /// - Throws: ``EventPostError``.
    func call(_ method: String, _ url: String) async throws(EventPostError) -> (status: Int, body: [UInt8])
}

/// Asks over connections of its own.
package struct HTTPFunctionsCaller: FunctionsCalling {
    /// The time until an answer is there: it is made without a function.
    private static let timeout = Duration.seconds(2)
    /// The longest listing, which holds the texts of all extensions.
    private static let byteCountMax = 32 << 20

    /// Creates a caller.
    package init() {}

    package func call(
        _ method: String,
        _ url: String
    ) async throws(EventPostError) -> (status: Int, body: [UInt8]) {
        do {
            let answer = try await OutgoingCall.send(
                method: method,
                to: url,
                timeout: Self.timeout,
                answerByteCountMax: Self.byteCountMax
            )
            return (answer.status, answer.body)
        } catch {
            throw error.isTimeout ? .timedOut : .unreachable
        }
    }
}
