// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A request of the Functions emulator that registers a function for changes of documents.
package struct FunctionTrigger: Sendable {
    static let pathPrefix = "/emulator/v1/projects/"

    /// The method.
    package let method: String
    /// The path and query, as they were sent.
    package let target: String
    package let body: [UInt8]
}

/// Registers functions; answers nothing to requests that are for others.
package typealias TriggerEndpoint = @Sendable (FunctionTrigger) -> (status: Int, body: [UInt8])?
