// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension IndexCatalog {
    /// Reads the table of indexes.
    init(version: Int64, from db: SQLiteConnection) throws {
        let members = try db.with(.indexes) { rows in
            var members: [Member] = []
            while try rows.step() {
                let scope = try IndexShape.Scope(kind: rows.integer(at: 2), place: rows.bytes(at: 3))
                let shape = IndexShape(scope: scope, parts: try IndexShape.Part.decode(rows.bytes(at: 4)))
                members.append(Member(id: rows.integer(at: 0), database: rows.integer(at: 1), shape: shape))
            }
            return members
        }
        self.init(version: version, members: members)
    }
}

extension IndexShape.Scope {
    /// Stored; never renumber.
    var kind: Int64 {
        switch self {
        case .collection: 0
        case .group: 1
        case .everything: 2
        }
    }

    var place: [UInt8] {
        switch self {
        case .collection(let path): OrderedKey(path).bytes
        case .group(let id): id
        case .everything: []
        }
    }

    fileprivate init(kind: Int64, place: [UInt8]) throws {
        switch kind {
        case 0: self = .collection(try PathKeyDecoder.decodeCollection(place))
        case 1: self = .group(place)
        case 2: self = .everything
        default: throw FirestoreError.corrupted("an index")
        }
    }
}

extension IndexShape.Part {
    static func encode(_ parts: [IndexShape.Part]) -> [UInt8] {
        let values = parts.map { part in
            Value.map([pathName: .string(part.path.description), modeName: .integer(part.mode.rawValue)])
        }
        return FieldsEncoder.encode([partsName: .array(values)])
    }

    fileprivate static func decode(_ bytes: [UInt8]) throws -> [IndexShape.Part] {
        let parts = try FieldsDecoder.decode(bytes)[partsName]?.arrayElements ?? []
        return try parts.map { part in
            guard case .map(let fields) = part, case .string(let path)? = fields[pathName],
                case .integer(let number)? = fields[modeName], let mode = Mode(rawValue: number)
            else { throw FirestoreError.corrupted("an index") }
            return IndexShape.Part(path: try FieldPath(parsing: path), mode: mode)
        }
    }

    private static let partsName = "parts"
    private static let pathName = "path"
    private static let modeName = "mode"
}
