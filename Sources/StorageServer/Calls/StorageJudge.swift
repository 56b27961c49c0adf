// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
package import ObjectStore
package import Wire

/// Decides what callers of the Firebase v0 API may do with objects: Security Rules, or a test's own.
///
/// Administrators, and the bearers of an object's download token, are not judged. Nor are calls to Google's JSON and XML
/// APIs, where production asks IAM and signatures instead (https://firebase.google.com/docs/storage/security, 2026-11).
package protocol StorageJudge: Sendable {
    /// Throws ``StorageRefusal`` where the caller may not.
    ///
    /// Uploads and changes are judged inside the store's transaction, so a judge must not write to the store. Adds to
    /// `ruleReads` the documents of Firestore that it looked at, also where it refuses.
    func authorize(_ access: StorageAccess, for caller: Caller, noting judgement: inout Judgement) throws
}

/// An access to judge, with the objects that the verdict may depend on.
package enum StorageAccess: Sendable {
    /// Reads an object's bytes or its metadata; `nil` where there is none.
    case get(ObjectPath, ObjectMetadata?)
    /// Lists the names of a bucket that begin with a prefix, which is empty or ends with a slash.
    case list(BucketName, prefix: String)
    /// Stores an object, in place of another if there is one: an overwrite is a creation, too (firebase-tools 15.28.1,
    /// `src/emulator/storage/files.ts`, `uploadObject`).
    case create(ObjectMetadata, replacing: ObjectMetadata?)
    /// Changes an object's metadata.
    case update(ObjectMetadata, to: ObjectMetadata)
    /// Deletes an object; `nil` where there is none.
    case delete(ObjectPath, ObjectMetadata?)
    /// Makes or deletes a download token, which only administrators may.
    case changeTokens(ObjectPath)
}

/// The verdict that a caller may not make a call.
package struct StorageRefusal: Error, Sendable, Equatable {
    /// Creates a refusal.
    package init() {}
}

/// The judge in force, which may be replaced while calls are made.
///
/// A call keeps the judge it began with. Not shared with Firestore's `CurrentJudge`, which calls its listeners after a
/// replacement: a type generic over both cost a Firestore call 5 %, and a repeated download of 1 KiB 23 % (2026-11).
package final class CurrentStorageJudge: Sendable {
    private struct State {
        var judge: (any StorageJudge)?
        var version = 0
    }

    private let state: NIOLockedValueBox<State>

    /// Puts a judge in force; without one every call is allowed.
    package init(_ judge: (any StorageJudge)? = nil) {
        state = NIOLockedValueBox(State(judge: judge))
    }

    var judge: (any StorageJudge)? { state.withLockedValue(\.judge) }

    /// Changes with every replacement.
    var version: Int { state.withLockedValue(\.version) }

    /// Puts another judge in force, or none.
    package func replace(with judge: (any StorageJudge)?) {
        state.withLockedValue { state in
            state.judge = judge
            state.version += 1
        }
    }
}
