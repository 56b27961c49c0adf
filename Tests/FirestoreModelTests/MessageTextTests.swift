// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Testing

struct MessageTextTests {
    @Test(
        arguments: [
            ("short enough", "short enough"), ("a name that is far too long", "a name th...ng"),
            // No character is cut: each takes two or four bytes.
            ("üüüüüüüü", "üüüü...ü"), ("𝒳𝒳𝒳𝒳", "𝒳𝒳..."),
        ]
    )
    func `cuts a message in its middle`(text: String, cut: String) {
        #expect(MessageText.cut(text, to: 14) == cut)
    }

    @Test func `keeps the words around a name of megabytes`() {
        let name = String(repeating: "n", count: 2 << 20)
        let message = FirestoreError(.invalidArgument, "Document name \"\(name)\" lacks \"/\" at index 9.").message
        #expect(message.utf8.count == MessageText.byteCountMax)
        #expect(message.hasPrefix("Document name \"nnn"))
        #expect(message.hasSuffix("nnn\" lacks \"/\" at index 9."))
    }
}
