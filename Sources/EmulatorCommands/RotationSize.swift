// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Metering

/// The size at which a session log is set aside, such as `64MB`, or `never`.
struct RotationSize: ExpressibleByArgument, CustomStringConvertible {
    private static let never = "never"
    /// Smaller ones would hold next to nothing but headers.
    private static let byteCountMin: Int64 = 1_000
    /// In bytes; `nil` where it never is.
    let byteCount: Int64?

    init(byteCount: Int64?) {
        self.byteCount = byteCount
    }

    init?(argument: String) {
        if argument == Self.never {
            self.init(byteCount: nil)
            return
        }
        guard let size = ByteSize(argument), size.byteCount >= Self.byteCountMin else { return nil }
        self.init(byteCount: size.byteCount)
    }

    var description: String { byteCount.map { ByteSize($0).description } ?? Self.never }
}
