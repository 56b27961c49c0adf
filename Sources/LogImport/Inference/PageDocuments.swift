// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A page of a list or of a listing.
struct ListPage: Hashable {
    let list: Int
    let number: Int
}

/// The documents of the pages that a user is shown.
///
/// The log does not say which objects a page of a listing had: those that the user has loaded of it, now or before, count.
struct PageDocuments {
    private var loaded: [ListPage: [Int32]] = [:]

    /// The documents of the page of a visit; visits come in their order.
    mutating func documents(of visit: Visit) -> [Int32] {
        guard let answer = visit.answer else { return visit.listed }
        guard answer.kind == .objects else { return answer.documents }
        let before = loaded[visit.listPage] ?? []
        let documents = before + visit.listed.filter { !before.contains($0) }
        loaded[visit.listPage] = documents
        return documents
    }
}
