// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The documents that rules may look at.
package protocol RulesDocuments {
    /// Whether a path is that of a document of the database, which may be missing.
    func mayBeDocument(_ path: RulesPath) -> Bool
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - path: Its full path, `/databases/{database}/documents/…`.
    ///   - isAfter: Whether it is wanted as the request would leave it.
    ///   - isWhole: Whether more is wanted than whether it exists.
    /// - Returns: The document, or why there is none.
    func document(at path: RulesPath, isAfter: Bool, isWhole: Bool) -> RulesDocument
    /// The documents that the request has looked at so far, each once.
    var readCount: Int { get }
    /// Shows a value to the developer.
    func debug(_ value: RulesValue)
}

/// The answer to a rule that looks at a document.
package enum RulesDocument {
    case found(RulesMap)
    case missing
    /// It is null: the request asks for it and it is missing, or the request deletes it.
    case deleted
    /// The path is not a document of the database, or the request has looked at too many.
    case refused
}
