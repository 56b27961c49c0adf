// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The forms that members of accounts have to have.
package enum AccountForm {
    /// One `@` with something before and behind it: as the official emulator, which takes whatever looks like an address.
    package static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.utf8.contains(0)
    }

    /// Numbers are international; nothing more is asked of them.
    package static func isPhoneNumber(_ text: String) -> Bool { text.hasPrefix("+") }
}
