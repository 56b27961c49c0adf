// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Int64 {
    /// `1,234,567`, whatever the language of the machine.
    package var grouped: String { formatted(.number.locale(Locale(identifier: "en_US")).grouping(.automatic)) }
}
