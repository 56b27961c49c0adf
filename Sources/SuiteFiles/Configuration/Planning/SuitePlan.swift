// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The services that a start is to serve for a project, where, and by which of its files.
///
/// Made of `firebase.json`, `.firebaserc`, the settings of the Firebase CLI and the command's options, as firebase-tools
/// makes one of them:
///
///     let plan = try SuitePlan(SuiteRequest(workingDirectory: "/home/ada/shop", only: "auth,firestore"))
package struct SuitePlan: Sendable, Equatable {
    /// The project's directory, absolute: that of `firebase.json`, or the working directory where there is none.
    package let directory: String
    /// The project whose data are served.
    package let project: SuiteProject
    /// The emulators to serve, in the order of firebase-tools' messages; at least one.
    package let served: [ConfiguredAddress]
    /// Emulators asked for that are not served here; the one for functions takes events.
    package let unserved: [ConfiguredAddress]
    /// The hub's address.
    package let hub: ConfiguredAddress
    /// The web interface's address; `nil` where it is not to be started.
    package let ui: ConfiguredAddress?
    /// The address of the log's WebSocket; `nil` where it is not to be started.
    package let logging: ConfiguredAddress?
    /// Firestore's databases; `nil` where it is not served.
    package let firestore: FirestorePlan?
    /// Storage's rules; `nil` where it is not served.
    package let storage: StorageRulesPlan?
    /// Whether a use of another project is warned of.
    package let isSingleProject: Bool
    /// Lines to print before the start, in their order.
    package let notices: [SuiteNotice]

    /// The address of an emulator; `nil` where it was not asked for.
    package subscript(service: SuiteService) -> ConfiguredAddress? {
        ([hub, ui, logging].compactMap(\.self) + served + unserved).first { $0.service == service }
    }
}

/// Firestore's databases and settings.
package struct FirestorePlan: Sendable, Equatable {
    /// The database where `firebase.json` names none.
    package static let defaultDatabase = "(default)"

    /// A database and the files that it follows.
    package struct Database: Sendable, Equatable {
        /// The id.
        package let id: String
        /// The absolute path of its rules, which existed; `nil` for a database that is open to all.
        package let rules: String?
        /// The absolute path of its `firestore.indexes.json`, which existed; `nil` where none is named.
        package let indexes: String?
    }

    /// The databases, each once; at least one.
    package let databases: [Database]
    /// Where requests are shown as rules judge them; `nil` for the default, 9150 or the next free one.
    package let websocketPort: Int?
}

/// The rules of Storage's buckets.
package enum StorageRulesPlan: Sendable, Equatable {
    /// The rules of a bucket.
    package struct Bucket: Sendable, Equatable {
        /// The bucket.
        package let name: String
        /// The absolute path of its rules, which existed.
        package let rules: String
    }

    /// Every bucket is open to all, as in a demo project that names no rules.
    case open
    /// Every bucket follows a file, which existed, by its absolute path.
    case everywhere(rules: String)
    /// The buckets listed, each once, follow files; others allow nothing.
    case ofBuckets([Bucket])
}
