// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Messages of errors, which repeat names as the client has sent them.
package enum MessageText {
    /// A longer message is cut: a document's name of the largest size and the words around it fit.
    package static let byteCountMax = 8 << 10

    private static let ellipsis = "..."

    /// Cuts a text in its middle, so that the words before and behind a long name stay.
    package static func cut(_ text: String, to byteCountMax: Int = Self.byteCountMax) -> String {
        precondition(byteCountMax > ellipsis.utf8.count, "a text of \(byteCountMax) bytes has no room for an ellipsis")
        guard text.utf8.count > byteCountMax else { return text }
        let room = byteCountMax - ellipsis.utf8.count
        let tailByteCount = room / 4
        return
            "\(head(of: text, byteCount: room - tailByteCount))\(ellipsis)\(tail(of: text, byteCount: tailByteCount))"
    }

    private static func head(of text: String, byteCount: Int) -> Substring {
        var end = text.utf8.index(text.startIndex, offsetBy: byteCount)
        while UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
        return text[..<end]
    }

    private static func tail(of text: String, byteCount: Int) -> Substring {
        var start = text.utf8.index(text.endIndex, offsetBy: -byteCount)
        while start < text.endIndex, UTF8.isContinuation(text.utf8[start]) { start = text.utf8.index(after: start) }
        return text[start...]
    }
}
