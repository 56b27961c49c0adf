// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// Writes views as numbers, some ten bytes each: of what they name, each name is held once.
struct ViewNames: Sendable {
    private var texts: [String] = []
    private var numbers: [String: Int] = [:]
    private var listings: [SessionView.Listing] = []
    private var listingNumbers: [SessionView.Listing: Int] = [:]

    private static let kinds = SessionView.Kind.allCases

    /// The number of a name.
    mutating func number(of text: String) -> Int {
        if let number = numbers[text] { return number }
        texts.append(text)
        numbers[text] = texts.count - 1
        return texts.count - 1
    }

    private mutating func number(of listing: SessionView.Listing) -> Int {
        if let number = listingNumbers[listing] { return number }
        listings.append(listing)
        listingNumbers[listing] = listings.count - 1
        return listings.count - 1
    }

    /// Appends a view but for the fields that this version does not know.
    mutating func append(_ view: SessionView, by client: Int, number: Int, to bytes: inout NumberBytes) {
        bytes.append(Int64(client))
        bytes.append(Int64(number))
        bytes.append(view.atMilliseconds)
        bytes.append(Int64(Self.kinds.firstIndex(of: view.action.kind) ?? 0))
        switch view.action {
        case .openFeed(let listing, let page), .scroll(let listing, let page):
            bytes.append(Int64(self.number(of: listing)))
            bytes.append(Int64(page))
        case .switchTab(let listing): bytes.append(Int64(self.number(of: listing)))
        case .openPost(let owner, let post):
            bytes.append(Int64(self.number(of: owner)))
            bytes.append(Int64(self.number(of: post)))
        case .relaunch: break
        case .showPosts(let shown): append(shown, to: &bytes)
        }
    }

    private mutating func append(_ shown: SessionView.ShownPosts, to bytes: inout NumberBytes) {
        bytes.append(Int64(shown.posts.count))
        for post in shown.posts { bytes.append(Int64(number(of: post))) }
        bytes.append(shown.list == nil ? 0 : 1)
        guard let list = shown.list else { return }
        bytes.append(Int64(number(of: list.name)))
        bytes.append(Int64(list.page))
        bytes.append(list.byteCount)
        bytes.append(list.documentReads)
        bytes.append(list.isOfObjects ? 1 : 0)
        bytes.append(list.key.map { Int64(number(of: $0)) } ?? -1)
        bytes.append(list.changes ?? -1)
        bytes.append(list.depth.map(Int64.init) ?? -1)
    }

    /// Reads views on to those of their users, whose places are by their numbers.
    func read(_ bytes: [UInt8], into users: inout [[UserViews.Numbered]], places: inout [Int: Int]) {
        var reader = NumberBytes.Reader(bytes)
        while let client = reader.next() {
            let place = places[Int(client)] ?? users.count
            if place == users.count {
                places[Int(client)] = place
                users.append([])
            }
            let number = Int(reader.number())
            let at = reader.number()
            let view = SessionView(atMilliseconds: at, client: texts[Int(client)], action: action(&reader))
            users[place].append(UserViews.Numbered(number: number, view: view))
        }
    }

    private func action(_ reader: inout NumberBytes.Reader) -> SessionView.Action {
        func text(_ number: Int64) -> String { texts[Int(number)] }
        switch Self.kinds[Int(reader.number())] {
        case .openFeed: return .openFeed(listings[Int(reader.number())], page: Int(reader.number()))
        case .scroll: return .scroll(listings[Int(reader.number())], page: Int(reader.number()))
        case .switchTab: return .switchTab(listings[Int(reader.number())])
        case .openPost: return .openPost(owner: text(reader.number()), post: text(reader.number()))
        case .relaunch: return .relaunch
        case .showPosts: return .showPosts(shownPosts(&reader))
        }
    }

    private func shownPosts(_ reader: inout NumberBytes.Reader) -> SessionView.ShownPosts {
        let posts = (0..<reader.number()).map { _ in texts[Int(reader.number())] }
        guard reader.number() == 1 else { return SessionView.ShownPosts(posts) }
        var list = SessionView.List(
            name: texts[Int(reader.number())],
            page: Int(reader.number()),
            byteCount: reader.number(),
            documentReads: reader.number(),
            isOfObjects: reader.number() == 1
        )
        let (key, changes, depth) = (reader.number(), reader.number(), reader.number())
        if key >= 0 { list.key = texts[Int(key)] }
        if changes >= 0 { list.changes = changes }
        if depth >= 0 { list.depth = Int(depth) }
        return SessionView.ShownPosts(posts, list: list)
    }
}

extension NumberBytes.Reader {
    /// The next number of a record, which is whole.
    fileprivate mutating func number() -> Int64 {
        guard let number = next() else { preconditionFailure("records are written whole") }
        return number
    }
}
