// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Basics
import Foundation

/// Why an export of the official emulators cannot be read or written.
package struct ExportError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Sendable {
        /// A file of the export cannot be used.
        case badData
        /// A directory is none that an export may replace.
        case notAnExport
        /// The disk, or the store, refused.
        case inputOutput
    }

    /// The kind of failure.
    package let code: Code
    /// The problem, its file, and how to remedy it.
    package let description: String
}

extension ExportError {
    static func badFile(_ path: String, because reason: String) -> Self {
        Self(code: .badData, description: "\(path) \(reason)")
    }

    static func link(_ path: String) -> Self {
        badFile(path, because: "is a symbolic link, which imports do not follow")
    }

    static func missing(_ path: String) -> Self {
        Self(code: .badData, description: "\(path) does not exist: there is nothing to import")
    }

    static func notAnExport(_ path: String, missing file: String) -> Self {
        Self(
            code: .notAnExport,
            description: "\(path) holds files but no \(file), so it is no earlier export and is left alone; "
                + "choose a new or empty directory"
        )
    }

    static func workingDirectory(_ path: String) -> Self {
        Self(
            code: .notAnExport,
            description: "\(path) is the working directory or holds it, and would be replaced; choose another directory"
        )
    }

    static func strangeName(_ path: String) -> Self {
        Self(
            code: .notAnExport,
            description: "\(path) is none of what the earlier export lists and would be replaced; "
                + "remove it or choose another directory"
        )
    }

    package static func outside(_ path: String, of bound: String) -> Self {
        Self(
            code: .notAnExport,
            description: "\(path) is not below \(bound), to which exports are confined; "
                + "choose a directory there, or start with --export-below"
        )
    }

    static func notEmpty(_ path: String) -> Self {
        Self(
            code: .notAnExport,
            description: "\(path) holds files already; an export is written into an empty directory"
        )
    }

    static func vanished(_ path: String) -> Self {
        Self(
            code: .inputOutput,
            description: "\(path) cannot be kept: it has gone meanwhile, or its name is not UTF-8; move it elsewhere"
        )
    }

    static func mounted(_ path: String) -> Self {
        Self(
            code: .notAnExport,
            description: "\(path) has a file system mounted on it and cannot be replaced; choose a directory below it"
        )
    }

    static func notADirectory(_ path: String) -> Self {
        Self(code: .notAnExport, description: "\(path) is no directory; choose another path")
    }

    package static func busy(_ count: Int) -> Self {
        Self(
            code: .inputOutput,
            description: "\(count) imports and exports are under way or wait for each other; try again later"
        )
    }

    package static func noTemporaryDirectory(in parent: String) -> Self {
        Self(code: .inputOutput, description: "cannot lock a directory in \(parent): others removed each that was made")
    }
}

extension ExportError: FileFailure {
    package init(_ fault: FileFault) {
        self =
            switch fault.operation {
            case .openForReading where fault.isMissing: .badFile(fault.path, because: "is missing")
            case .openForReading where fault.isLink: .link(fault.path)
            case .list where fault.isNoDirectory: .notADirectory(fault.path)
            default: Self(code: .inputOutput, description: fault.description)
            }
    }
}
