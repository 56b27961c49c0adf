// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Which changes of documents an event reports.
enum DocumentEvent: String, Sendable, CaseIterable {
    case created
    case updated
    case deleted
    /// Any of the others.
    case written

    /// Whether a change is one of them.
    func includes(_ kind: DocumentEvent) -> Bool { self == .written || self == kind }

    /// The name in types of generation 1: `create`.
    var legacyName: String {
        switch self {
        case .created: "create"
        case .updated: "update"
        case .deleted: "delete"
        case .written: "write"
        }
    }
}

/// The type of an event about documents, in either generation of functions.
struct DocumentEventType: Sendable, Hashable {
    /// The form of the event.
    enum Form: Sendable, Hashable {
        /// Generation 1.
        case legacy
        /// Generation 2; with the principal where that is asked for.
        case cloudEvent(isWithAuthContext: Bool)
    }

    let event: DocumentEvent
    let form: Form

    private static let legacyPrefix = "providers/cloud.firestore/eventTypes/document."
    private static let prefix = "google.cloud.firestore.document.v1."
    private static let authSuffix = ".withAuthContext"

    init(_ event: DocumentEvent, _ form: Form) {
        (self.event, self.form) = (event, form)
    }

    /// Reads a type of generation 1; `nil` for other texts.
    init?(legacy text: String) {
        guard let event = DocumentEvent.allCases.first(where: { text == Self.legacyPrefix + $0.legacyName }) else {
            return nil
        }
        self.init(event, .legacy)
    }

    /// Reads a type of generation 2; `nil` for other texts.
    init?(cloudEvent text: String) {
        let isWithAuthContext = text.hasSuffix(Self.authSuffix)
        let plain = isWithAuthContext ? text.dropLast(Self.authSuffix.count) : text[...]
        guard let event = DocumentEvent.allCases.first(where: { plain == Self.prefix + $0.rawValue }) else {
            return nil
        }
        self.init(event, .cloudEvent(isWithAuthContext: isWithAuthContext))
    }

    /// The name, as registrations and events have it.
    var name: String {
        switch form {
        case .legacy: Self.legacyPrefix + event.legacyName
        case .cloudEvent(let isWithAuthContext):
            Self.prefix + event.rawValue + (isWithAuthContext ? Self.authSuffix : "")
        }
    }
}

/// A function that runs on changes of documents, as the Functions emulator registers it.
struct DocumentTrigger: Sendable, Equatable {
    /// The longest key.
    static let keyByteCountMax = 512
    /// The namespace of all documents.
    static let defaultNamespace = "(default)"

    /// The function, such as `us-central1-notify-0`: its region, its name, and how often it was loaded.
    let key: String
    let type: DocumentEventType
    let database: String
    let namespace: String
    let pattern: PathPattern

    /// Whether a change runs the function.
    func matches(_ write: ChangedDocument, _ kind: DocumentEvent) -> Bool {
        type.event.includes(kind) && database == write.database.database && namespace == Self.defaultNamespace
            && pattern.matches(write.path)
    }

    /// The function's name without the number of its loading, under which its runs are counted.
    var function: String {
        guard let dash = key.lastIndex(of: "-") else { return key }
        let number = key[key.index(after: dash)...]
        let isNumber =
            !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? String(key[..<dash]) : key
    }
}
