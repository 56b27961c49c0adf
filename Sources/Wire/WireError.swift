// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// Why a port cannot be served.
package struct WireError: Error, CustomStringConvertible {
    /// The system's error number.
    package let errnoCode: CInt
    /// What went wrong and how to remedy it.
    package let description: String

    static func cannotListen(host: String, port: Int, error: IOError) -> Self {
        let remedy =
            switch error.errnoCode {
            case EADDRINUSE: "the port is in use; stop what listens there or choose another port (0 picks a free one)"
            case EACCES: "the port is privileged; choose one from 1024 up"
            case EADDRNOTAVAIL: "no interface of this machine has that address"
            default: String(describing: error)
            }
        return Self(errnoCode: error.errnoCode, description: "cannot listen on \(host):\(port): \(remedy)")
    }
}
