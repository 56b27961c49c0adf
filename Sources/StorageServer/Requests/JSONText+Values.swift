// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSONWriting
import Wire

extension JSONText {
    /// A 64-bit number as Google's JSON writes it: a string.
    static func decimal(_ number: Int64) -> JSONText { .string(String(number)) }

    /// A time as Google's JSON writes it, in milliseconds: `2026-11-21T00:51:46.653Z`.
    static func time(microseconds: Int64) -> JSONText {
        .string(Timestamp.text(microseconds: microseconds))
    }

    /// An object of strings in the order of their keys; `nil` when there are none.
    static func texts(_ texts: [String: String]) -> JSONText? {
        texts.isEmpty ? nil : .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }
}
