// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// Why a port cannot be served.
package struct WireError: Error, CustomStringConvertible {
    /// The problem, and how to remedy it.
    package let description: String

    static func cannotListen(host: String, port: Int, error: any Error) -> Self {
        let remedy =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE: "the port is in use; stop what listens there or choose another port (0 picks a free one)"
            case EACCES: "the port is privileged; choose one from 1024 up"
            case EADDRNOTAVAIL: "no interface of this machine has that address"
            case nil where error is SocketAddressError: "the host is unknown; give an address of this machine"
            default: String(describing: error)
            }
        return Self(description: "cannot listen on \(host):\(port): \(remedy)")
    }
}
