// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Who last read each document, or listed the names of objects: the user of an image that is asked for without a token.
struct LastReaders {
    private let users: LoggedUsers
    private let owned: OwnedObjects
    /// By the document or listing, and for addresses of several users by the address, too.
    private var readers: [Place: Int32] = [:]

    private enum Subject {
        case document(Int32)
        case listing(Int)
    }

    /// Two numbers in one, as there may be many: the address, or 0 for all, and the document, or the listing behind all
    /// documents.
    private struct Place: Hashable {
        let number: UInt64

        init(_ subject: Subject, at address: Int32) {
            let low =
                switch subject {
                case .document(let document): UInt64(UInt32(bitPattern: document))
                case .listing(let list): UInt64(1 << 31) | UInt64(list)
                }
            number = UInt64(UInt32(bitPattern: address)) << 32 | low
        }
    }

    /// Whether nothing was read yet.
    var isEmpty: Bool { readers.isEmpty }

    init(_ users: LoggedUsers, owned: OwnedObjects) { (self.users, self.owned) = (users, owned) }

    /// Takes in an answer to a caller.
    mutating func read(_ answer: LoggedAnswer, by caller: Int32) {
        let (user, address) = (users.users[Int(caller)], users.addresses[Int(caller)])
        let places = users.isShared(address) ? [0, address] : [0]
        for place in places {
            if answer.kind == .objects, let list = answer.list { readers[Place(.listing(list), at: place)] = user }
            for version in answer.versions { readers[Place(.document(version.document), at: place)] = user }
        }
    }

    /// The user at the caller's address who last read an object's document, else any user who did; `nil` without one.
    func reader(of object: Int, askedForBy caller: Int32) -> Int32? {
        let subjects =
            owned.owners[object].map { Subject.document($0.document) }
            + owned.listings.lists(having: object).map(Subject.listing)
        let address = users.addresses[Int(caller)]
        let places = users.isShared(address) ? [address, 0] : [0]
        return places.lazy.flatMap { place in subjects.lazy.compactMap { readers[Place($0, at: place)] } }.first
    }
}
