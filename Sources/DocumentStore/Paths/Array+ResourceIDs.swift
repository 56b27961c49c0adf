// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension [String] {
    /// Checks collection and document ids in turn.
    func validateIDs() throws {
        for (index, identifier) in enumerated() {
            try ResourceID.validate(identifier, as: index.isMultiple(of: 2) ? .collection : .document)
        }
    }
}

extension String {
    /// The segments between slashes.
    ///
    /// Compared by bytes: a mark that combines with a slash does not make it another character.
    var segments: [Substring] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }
}
