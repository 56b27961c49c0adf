// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Wire

extension CallContext {
    /// Files the usage of a call with one request.
    func settle(with exchange: Exchange?) {
        let usage = takeUsage()
        exchange?.attribute(to: usage.attribution, billing: .firestore(usage.billed))
    }

    /// Adds what was billed after the call was settled.
    func settleRest(with exchange: Exchange?) {
        let billed = takeBill()
        if billed != .zero { exchange?.bill(billed) }
    }

    /// Makes a record of a long call for what it has cost since the last one.
    func flush(to exchange: Exchange?) {
        let usage = takeUsage()
        exchange?.flush(billed: usage.billed, about: usage.attribution)
    }
}

extension Exchange {
    /// Makes a record for each of the usages, or, without any, one that is about the same as the last.
    ///
    /// The bytes are in the first record: those of several targets go out together.
    func flush(_ usages: [CallUsage]) {
        if usages.isEmpty { flush() }
        for usage in usages { flush(billed: usage.billed, about: usage.attribution) }
    }
}
