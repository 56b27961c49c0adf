// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

extension SessionHeader.Imported {
    /// How far figures on inferred views can be trusted.
    var reach: String {
        guard let explained else { return "every figure below is inferred, and documents are not in it" }
        let (bytes, reads) = (Figure.percent(explained.bytePercent), Figure.percent(explained.readPercent))
        let hasReads = usage?.total.values.contains { $0.billed.documentReads > 0 } ?? true
        return "the views explain \(bytes) of the bytes" + (hasReads ? " and \(reads) of the document reads" : "")
            + "; the rest costs the same with each strategy"
    }
}
