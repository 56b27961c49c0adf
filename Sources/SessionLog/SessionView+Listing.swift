// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

extension SessionView {
    /// The list of posts that a view shows: a tab of the feed, or a section of a screen.
    package struct Listing: Sendable, Hashable {
        /// The order of the posts.
        package var sort: Sort
        /// Which posts; `nil` for all.
        package var filter: Filter?
        /// The posts of one page, where it is not the header's.
        package var pageSize: Int?

        /// Creates a list of the feed's posts.
        package init(sort: Sort, filter: Filter? = nil, pageSize: Int? = nil) {
            self.sort = sort
            self.filter = filter
            self.pageSize = pageSize
        }

        /// The tab of the most liked posts.
        package static let popular = Listing(sort: .popular)
        /// The tab of the newest posts.
        package static let latest = Listing(sort: .latest)
    }

    /// Which posts a list has: those whose field has this value.
    package struct Filter: Sendable, Hashable {
        /// A value that a field can have.
        package enum Value: Sendable, Hashable {
            case string(String)
            case integer(Int64)
            case boolean(Bool)
        }

        package var field: String
        package var value: Value

        /// Creates a filter.
        package init(field: String, equals value: Value) {
            self.field = field
            self.value = value
        }
    }
}

extension SessionView.Listing {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        sort = try reader.choice("sort", of: SessionView.Sort.self)
        filter = try reader.nested("filter") { (inner) throws(FieldProblem) in
            SessionView.Filter(field: try inner.string("field"), equals: try inner.filterValue("equals"))
        }
        pageSize = try reader.optionalCount("pageSize", in: 1...SessionHeader.pageSizeMax)
    }

    /// The filter and the page size come behind the page.
    func add(page: Int?, to writer: inout FieldWriter) {
        writer.add("sort", sort.rawValue)
        if let page { writer.add("page", page) }
        if let filter {
            writer.add("filter", object: ["field": .string(filter.field), "equals": filter.value.json])
        }
        if let pageSize { writer.add("pageSize", pageSize) }
    }
}

extension SessionView.Filter.Value {
    fileprivate init?(_ json: JSONValue) {
        switch json {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .bool(let flag): self = .boolean(flag)
        default: return nil
        }
    }

    /// The value as messages have it.
    package var text: String {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .boolean(let flag): String(flag)
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let flag): .bool(flag)
        }
    }
}

extension FieldReader {
    fileprivate mutating func filterValue(_ key: String) throws(FieldProblem) -> SessionView.Filter.Value {
        let expected = "expected a string, an integer, true or false"
        guard let json = optionalValue(key) else { throw problem(key, message: "is missing; \(expected)") }
        guard let value = SessionView.Filter.Value(json) else { throw problem(key, message: expected) }
        return value
    }
}
