// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Basics

/// An error of an object store.
package struct ObjectStoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault, for translation into a protocol's own errors.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind {
            case preconditionFailed, notModified, tooLarge, hashMismatch, invalidAttribute, invalidPageToken,
                uploadEnded
            case bucketExists, bucketNotEmpty, componentMissing, held, retained, alreadyImported
            case directoryInUse, directoryNotWritable, diskFull, corrupt, inputOutput
        }

        private let kind: Kind

        /// The object has not the version the client requires.
        package static let preconditionFailed = Self(kind: .preconditionFailed)
        /// The object still has the version that the client wants changed no more.
        package static let notModified = Self(kind: .notModified)
        /// The object is larger than the store's limit.
        package static let tooLarge = Self(kind: .tooLarge)
        /// The bytes have not the checksum the client named.
        package static let hashMismatch = Self(kind: .hashMismatch)
        /// An attribute is too long or cannot be stored.
        package static let invalidAttribute = Self(kind: .invalidAttribute)
        /// The page token is none that a listing returned.
        package static let invalidPageToken = Self(kind: .invalidPageToken)
        /// The upload was committed or abandoned before, or failed.
        package static let uploadEnded = Self(kind: .uploadEnded)
        /// There is a bucket of this name already.
        package static let bucketExists = Self(kind: .bucketExists)
        /// The bucket still holds objects.
        package static let bucketNotEmpty = Self(kind: .bucketNotEmpty)
        /// An object that a composition names is not there.
        package static let componentMissing = Self(kind: .componentMissing)
        /// A hold forbids replacing and deleting the object.
        package static let held = Self(kind: .held)
        /// A retention policy forbids replacing and deleting the object.
        package static let retained = Self(kind: .retained)
        /// An import holds two objects of one name.
        package static let alreadyImported = Self(kind: .alreadyImported)
        /// Another store has the directory open.
        package static let directoryInUse = Self(kind: .directoryInUse)
        /// The process may not write in the directory.
        package static let directoryNotWritable = Self(kind: .directoryNotWritable)
        /// The disk has no room left, or only what is kept for deleting.
        package static let diskFull = Self(kind: .diskFull)
        /// The stored data contradict themselves.
        package static let corrupt = Self(kind: .corrupt)
        /// The operating system refused an operation.
        package static let inputOutput = Self(kind: .inputOutput)

        package var description: String { String(describing: kind) }
    }

    /// The kind of fault.
    package var code: Code
    /// The problem, and how it may be remedied.
    package var message: String
    /// The error below, if any.
    package var cause: (any Error)?

    /// Creates an error.
    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String { "\(code): \(message)" }
}

extension ObjectStoreError: FileFailure {
    package init(_ fault: FileFault) {
        self.init(
            code: fault.isRefusal ? .directoryNotWritable : fault.isDiskFull ? .diskFull : .inputOutput,
            message: fault.description
        )
    }

    static func uploadGone(_ path: String) -> Self {
        Self(code: .inputOutput, message: "cannot find the upload \(path): No such file or directory")
    }
}
