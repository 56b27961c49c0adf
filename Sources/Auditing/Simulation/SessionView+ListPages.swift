// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

extension SessionView.List {
    /// The list as a user needs it who loads pages of this size as far as images were shown.
    ///
    /// Larger pages than the recorded one cannot be known.
    func read(inPagesOf size: Int?) -> Self {
        guard let size, let depth else { return self }
        let count = Int64(size) * Int64(max(1, (depth + size - 1) / size))
        return part(count) ?? self
    }

    /// A part of the documents with its share of the bytes; `nil` for none.
    func part(_ count: Int64) -> Self? {
        guard count > 0 else { return nil }
        guard count < documentReads else { return self }
        var part = self
        part.documentReads = count
        part.byteCount = documentReads.dividingFullWidth(byteCount.multipliedFullWidth(by: count)).quotient
        return part
    }
}
