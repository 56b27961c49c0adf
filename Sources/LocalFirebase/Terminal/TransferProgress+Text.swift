// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
package import SuiteFiles

extension TransferProgress {
    /// The progress in a line for people: `importing documents: 412,000, 38 %`.
    package var line: String {
        let things = latest.map { " \($0.rawValue): \(Int64(latestCount).grouped)" } ?? ""
        return direction.rawValue + things + (percent.map { "\(latest == nil ? ":" : ",") \($0) %" } ?? "")
    }
}

extension Duration {
    /// The duration of work, for people: `120 ms`, `8.2 s`.
    package var rounded: String {
        let milliseconds = Int64(self / .milliseconds(1))
        return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    }
}
