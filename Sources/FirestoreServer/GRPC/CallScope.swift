// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCTransport
import Metering
import Wire

/// What a call over gRPC knows of its caller, and what it is billed as.
@available(macOS 15, iOS 18, *)
struct CallScope: Sendable {
    let caller: Caller
    var usage: CallUsage
    private let exchange: Exchange?

    /// Begins with the usage of a call of which nothing is known but the method.
    init(_ usage: consuming CallUsage, call: GRPCCall?) {
        caller = call?.caller ?? .anonymous
        exchange = call?.exchange
        usage.attribution.user = caller.userID
        self.usage = usage
    }

    /// Says what the call turned out to be about; the last word of a call with one request.
    func file() {
        exchange?.attribute(to: usage.attribution, billing: .firestore(usage.billed))
    }

    /// Records what a long call has cost since it was last asked.
    mutating func flush() {
        exchange?.attribute(to: usage.attribution, billing: .firestore(.zero))
        exchange?.flush(billed: usage.billed)
        usage.billed = .zero
    }
}

extension CallUsage {
    /// The usage of a call, by the name of the method, such as `RunQuery`.
    init(method: String) {
        self.init(call: method.prefix(1).lowercased() + method.dropFirst())
    }
}
