// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// A request below `/emulator/v1/projects/`, which only emulators take: from the Functions emulator, or of files.
package struct EmulatorRequest: Sendable {
    package static let pathPrefix = "/emulator/v1/projects/"

    /// The method, the path and the header fields.
    package let head: HTTPRequest
    package let body: [UInt8]

    /// The path and query, as they were sent.
    package var target: String { head.path ?? "/" }
}

/// Answers requests that only emulators take; nothing to those that are for others.
package typealias EmulatorEndpoint = @Sendable (EmulatorRequest) async -> (status: Int, body: [UInt8])?
