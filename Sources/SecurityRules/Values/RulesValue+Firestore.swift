// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension RulesValue {
    /// Takes over a value of a document.
    package init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let isTrue): self = .boolean(isTrue)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .float(number)
        case .timestamp(let time): self = .timestamp(time)
        case .string(let text): self = .string(text)
        case .bytes(let bytes): self = .bytes(bytes)
        case .reference(let reference): self = .path(RulesPath(reference.path, in: reference.database))
        case .geoPoint(let place): self = .latLng(place)
        case .array(let elements): self = .list(elements.map(RulesValue.init))
        case .vector(let numbers): self = .vector(numbers)
        case .map(let fields): self = .map(RulesMap(FieldValues(fields)))
        }
    }
}

/// The fields of a map, taken over one by one.
private final class FieldValues: RulesMapSource {
    private let fields: [String: Value]

    init(_ fields: [String: Value]) { self.fields = fields }

    func value(of key: String) -> RulesValue? { fields[key].map(RulesValue.init) }

    var entries: [String: RulesValue] { fields.mapValues(RulesValue.init) }
}

/// The fields of a document, of which only those are decoded that rules name.
private final class DocumentFields: RulesMapSource {
    private let fields: EncodedFields

    init(_ fields: EncodedFields) { self.fields = fields }

    func value(of key: String) -> RulesValue? {
        do {
            return try fields.value(named: key).map(RulesValue.init)
        } catch {
            return Self.damage
        }
    }

    var entries: [String: RulesValue] { ((try? fields.decoded()) ?? [:]).mapValues(RulesValue.init) }

    private static let damage = RulesValue.failure(.other("The document is damaged in the database file."))
}

/// A document as rules see it: its name, its id and its data.
private final class DocumentMembers: RulesMapSource {
    private let document: Document
    private let database: DatabaseID

    init(_ document: Document, in database: DatabaseID) { (self.document, self.database) = (document, database) }

    func value(of key: String) -> RulesValue? {
        switch key {
        case "data": .map(RulesMap(DocumentFields(document.encodedFields)))
        case "id": .string(document.path.id)
        case "__name__": .path(RulesPath(document.path, in: database))
        default: nil
        }
    }

    var entries: [String: RulesValue] {
        ["data", "id", "__name__"].reduce(into: [:]) { $0[$1] = value(of: $1) }
    }

    var keyOrder: [String]? { ["data", "__name__", "id"] }

    var byteCount: Int { document.encodedFields.bytes.count }
}

extension RulesMap {
    /// A document as rules see it.
    package init(_ document: Document, in database: DatabaseID) {
        self.init(DocumentMembers(document, in: database))
    }
}

extension RulesPath {
    /// The full path of a document.
    package init(_ path: DocumentPath, in database: DatabaseID) {
        var segments: [Segment] = []
        segments.reserveCapacity(3 + path.segments.count)
        segments += [.literal("databases"), .literal(database.database), .literal("documents")]
        for name in path.segments { segments.append(.literal(name)) }
        self.init(segments)
    }

    /// The document of a full path; `nil` for what is not one of the database.
    package func document(in database: DatabaseID) -> DocumentPath? {
        guard let names, names.count >= 5, !names.count.isMultiple(of: 2), !names.contains(""),
            names.starts(with: ["databases", database.database, "documents"])
        else { return nil }
        // Names that no document may have are of documents that are missing.
        return DocumentPath(validated: Array(names[3...]))
    }
}
