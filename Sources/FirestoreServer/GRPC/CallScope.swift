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
    let call: GRPCCall?

    /// Begins with the usage of a call of which nothing is known but the method.
    init(_ usage: consuming CallUsage, call: GRPCCall?) {
        caller = call?.caller ?? .anonymous
        self.call = call
        usage.attribution.user = caller.userID
        self.usage = usage
    }

    /// Says what the call turned out to be about; the last word of a call with one request.
    func file() {
        call?.exchange.attribute(to: usage.attribution, billing: .firestore(usage.billed))
    }

    /// Adds what an answer has cost that is made after the call was filed.
    func bill(_ billed: BilledUsage) {
        if billed != .zero { call?.exchange.bill(billed) }
    }

    /// Records what a long call has cost since it was last asked.
    mutating func flush() {
        call?.exchange.flush(billed: usage.billed, about: usage.attribution)
        usage.billed = .zero
    }

    /// Records what has passed since it was last asked, billed as `usages`; without any it is about the same as before.
    ///
    /// The bytes are in the first record: those of several targets go out together.
    func flush(_ usages: [CallUsage]) {
        if usages.isEmpty { call?.exchange.flush() }
        for usage in usages { call?.exchange.flush(billed: usage.billed, about: usage.attribution) }
    }
}

extension CallUsage {
    /// The usage of a call, by the name of the method, such as `RunQuery`.
    init(method: String) {
        self.init(call: method.prefix(1).lowercased() + method.dropFirst())
    }
}
