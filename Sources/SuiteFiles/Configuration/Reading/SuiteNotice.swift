// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A line to print before a start.
package struct SuiteNotice: Sendable, Equatable {
    /// Whether the user should change something.
    package enum Level: Sendable {
        case information
        case warning
    }

    /// Whether the user should change something.
    package let level: Level
    /// The emulator that it is about, as firebase-tools puts it before the text; `emulators` where it is about several.
    package let label: String
    /// The text, which may have several lines.
    package let text: String

    static func warning(_ text: String, about service: SuiteService? = nil) -> Self {
        Self(level: .warning, label: service?.rawValue ?? "emulators", text: text)
    }

    static func information(_ text: String, about service: SuiteService? = nil) -> Self {
        Self(level: .information, label: service?.rawValue ?? "emulators", text: text)
    }
}
