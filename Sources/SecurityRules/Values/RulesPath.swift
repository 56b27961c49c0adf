// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A path: of a document, or a template with captures.
package struct RulesPath: Sendable {
    package enum Segment: Sendable, Hashable {
        case literal(String)
        /// `{name}`, with the value that it was bound to.
        indirect case capture(String, bound: String?)
        /// `{name=**}`, with the segments that it was bound to.
        indirect case glob(String, bound: [String]?)
        /// The place of the document that a query asks for: it is not known which.
        case unbound
        /// Any number of names, where a query looks into collections anywhere.
        case anywhere
    }

    package let segments: [Segment]

    /// Creates a path of segments.
    package init(_ segments: [Segment]) { self.segments = segments }

    /// Creates a path of names.
    package init(names: some Sequence<String>) { segments = names.map(Segment.literal) }

    /// Its names; `nil` where one of them is not known.
    package var names: [String]? {
        var names: [String] = []
        for segment in segments {
            switch segment {
            case .literal(let name), .capture(_, bound: .some(let name)): names.append(name)
            case .glob(_, bound: .some(let bound)): names += bound
            case .capture, .glob, .unbound, .anywhere: return nil
            }
        }
        return names
    }

    /// The segments that a computed part of a path stands for: those of a path, or the text of a value.
    static func segments(of value: RulesValue) -> Result<[Segment], Failure> {
        if case .path(let path) = value { return .success(path.segments) }
        switch value.asText {
        case .string(let name): return .success([.literal(name)])
        case .failure(let failure): return .failure(failure)
        default: return .failure(.unknown)
        }
    }
}
