// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore

/// A value for each event loop of the process, made when it is first asked for.
struct PerEventLoop<Value: Sendable>: Sendable {
    private let values = NIOLockedValueBox<[ObjectIdentifier: Value]>([:])

    /// The value of an event loop.
    func value(of eventLoop: any EventLoop, make: (any EventLoop) -> Value) -> Value {
        values.withLockedValue { values in
            if let known = values[ObjectIdentifier(eventLoop)] { return known }
            let new = make(eventLoop)
            values[ObjectIdentifier(eventLoop)] = new
            return new
        }
    }
}
