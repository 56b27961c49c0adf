// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Wire

/// A URL to which events are sent as CloudEvents, and which of them.
///
///     http://127.0.0.1:8090/
///     http://127.0.0.1:8090/#type=google.cloud.firestore.document.v1.written&document=users/{user}
///
/// Filters stand behind a `#`, which is not a part of the request: `type` (several with commas), `document` (a
/// pattern), `database` and `bucket`, each at most once. A URL without `type` gets each change once: not also as
/// `written`.
package struct EventSubscription: Sendable {
    let url: String
    /// `nil` for all.
    let types: Set<String>?
    let document: PathPattern?
    let database: String?
    let bucket: String?

    /// Reads a URL with its filters.
    ///
    /// - Throws: ``EventSubscriptionError``, whose text says what is wrong.
    package init(parsing text: String) throws(EventSubscriptionError) {
        let sides = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let url = sides.first.map(String.init) ?? ""
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), OutgoingCall.canSend(to: url) else {
            throw EventSubscriptionError.notPlainHTTP
        }
        self.url = url
        let filters = try Self.filters(sides.count == 2 ? sides[1] : "")
        types = try filters["type"].map(Self.types)
        database = filters["database"]
        bucket = filters["bucket"]
        do {
            document = try filters["document"].map { (pattern) throws(TriggerFailure) in try PathPattern(pattern) }
        } catch {
            throw EventSubscriptionError(error.message)
        }
    }

    private static let names: Set<String> = ["type", "document", "database", "bucket"]

    private static func filters(_ text: Substring) throws(EventSubscriptionError) -> [String: String] {
        var filters: [String: String] = [:]
        for part in text.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[1].isEmpty else { throw .malformedFilter(part) }
            let name = String(sides[0])
            guard names.contains(name) else { throw .unknownFilter(name) }
            guard filters[name] == nil else { throw .repeatedFilter(name) }
            filters[name] = String(sides[1])
        }
        return filters
    }

    private static func types(_ text: String) throws(EventSubscriptionError) -> Set<String> {
        var types: Set<String> = []
        for name in text.split(separator: ",").map(String.init) {
            guard EventTypes.all.contains(name) else { throw .unknownType(name) }
            types.insert(name)
        }
        return types
    }
}

/// Why a URL for events was refused.
package struct EventSubscriptionError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static var notPlainHTTP: Self { Self("Events are sent to URLs of plain HTTP, such as http://127.0.0.1:8090/.") }

    static func malformedFilter(_ text: Substring) -> Self {
        Self("A filter is a name, '=' and a value, not '\(text.prefix(100))'.")
    }

    static func unknownFilter(_ name: String) -> Self {
        Self("'\(name.prefix(100))' is not a filter: there are type, document, database and bucket.")
    }

    static func repeatedFilter(_ name: String) -> Self { Self("The filter '\(name)' is given twice.") }

    static func unknownType(_ name: String) -> Self {
        Self(
            "'\(name.prefix(100))' is not a type of events, such as google.cloud.firestore.document.v1.written."
        )
    }
}

/// The types of CloudEvents.
enum EventTypes {
    static let documents = DocumentEvent.allCases.flatMap { event in
        [false, true].map { DocumentEventType(event, .cloudEvent(isWithAuthContext: $0)) }
    }

    /// The names of all types.
    static let all = Set(
        documents.map(\.name) + ObjectChange.Kind.allCases.map(\.cloudEventType)
            + UserEvent.allCases.map(\.cloudEventType)
    )
}
