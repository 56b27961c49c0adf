// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension SessionView {
    /// Posts that a user was shown together, as far as a log of requests says.
    package struct ShownPosts: Sendable, Hashable {
        /// The posts' names: those of their documents, or of an imported log the first two segments of their images' names.
        package var posts: [String]
        /// The list that they are a page of; `nil` where it is not known.
        package var list: List?

        /// Creates a page.
        package init(_ posts: [String], list: List? = nil) {
            self.posts = posts
            self.list = list
        }
    }

    /// The answer that brought a page of a list.
    package struct List: Sendable, Hashable {
        /// The query in words, such as `posts order by likes desc limit`, or behind a tag as ``name(ofQuery:taggedWith:)`` writes it.
        package var name: String
        /// From 0.
        package var page: Int
        /// The bytes of the answer's body.
        package var byteCount: Int64
        /// The reads that it was billed.
        package var documentReads: Int64
        /// Whether it is a page of the objects of a bucket: an operation of Class A of Cloud Storage, without document reads.
        package var isOfObjects: Bool
        /// Equal for the pages of one list, whose values the name does not have; `nil` where it is not known.
        package var key: String?
        /// The documents that the user's last answer of this page did not have, or had in another version; `nil` for a first
        /// answer.
        package var changes: Int64?
        /// The documents up to the last one of which an image was shown; `nil` where none was.
        package var depth: Int?

        /// Creates a description of an answer.
        package init(
            name: String,
            page: Int,
            byteCount: Int64,
            documentReads: Int64,
            isOfObjects: Bool = false,
            key: String? = nil,
            changes: Int64? = nil,
            depth: Int? = nil
        ) {
            (self.key, self.changes, self.depth) = (key, changes, depth)
            self.name = name
            self.page = page
            self.byteCount = byteCount
            self.documentReads = documentReads
            self.isOfObjects = isOfObjects
        }
    }
}

extension SessionView.ShownPosts {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(try reader.strings("posts"))
        list = try reader.nested("list") { (inner) throws(FieldProblem) in
            SessionView.List(
                name: try inner.string("name"),
                page: try inner.count("page"),
                byteCount: try inner.integer("bytes", in: 0...SessionImage.byteCountMax),
                documentReads: try inner.integer("documentReads", in: 0...Int64(Int32.max)),
                isOfObjects: try inner.flag("objects"),
                key: try inner.optionalString("key"),
                changes: try inner.optionalCount("changes", in: 0...Int(Int32.max)).map(Int64.init),
                depth: try inner.optionalCount("depth", in: 0...Int(Int32.max))
            )
        }
    }

    func add(to writer: inout FieldWriter) {
        writer.add("posts", posts)
        guard let list else { return }
        var fields: [String: JSONValue] = [
            "name": .string(list.name), "page": .integer(Int64(list.page)), "bytes": .integer(list.byteCount),
            "documentReads": .integer(list.documentReads),
        ]
        if list.isOfObjects { fields["objects"] = .bool(true) }
        fields["key"] = list.key.map(JSONValue.string)
        fields["changes"] = list.changes.map(JSONValue.integer)
        fields["depth"] = list.depth.map { .integer(Int64($0)) }
        writer.add("list", object: fields)
    }
}

extension SessionView.List {
    /// The name of a list of the screen that a tag names: `feed (posts order by likes desc limit)`.
    package static func name(ofQuery query: String, taggedWith tag: String) -> String { "\(tag) (\(query))" }

    /// Whether a list of this name is of a query, with a tag or without one.
    package static func isName(_ name: String, ofQuery query: String) -> Bool {
        name == query || name.hasSuffix(Self.name(ofQuery: query, taggedWith: ""))
    }
}
