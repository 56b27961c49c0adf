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
        /// The query in words, such as `posts order by likes desc limit`.
        package var name: String
        /// From 0.
        package var page: Int
        /// The bytes of the answer's body.
        package var byteCount: Int64
        /// The reads that it was billed.
        package var documentReads: Int64

        /// Creates a description of an answer.
        package init(name: String, page: Int, byteCount: Int64, documentReads: Int64) {
            self.name = name
            self.page = page
            self.byteCount = byteCount
            self.documentReads = documentReads
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
                byteCount: try inner.integer("bytes"),
                documentReads: try inner.integer("documentReads")
            )
        }
    }

    func add(to writer: inout FieldWriter) {
        writer.add("posts", posts)
        guard let list else { return }
        writer.add(
            "list",
            object: [
                "name": .string(list.name), "page": .integer(Int64(list.page)), "bytes": .integer(list.byteCount),
                "documentReads": .integer(list.documentReads),
            ]
        )
    }
}
