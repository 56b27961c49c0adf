// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The names of a path, in memory that the next path takes over: on the way through the rules none is counted or copied.
final class PathNames {
    enum Name {
        /// UTF-8.
        case text(UnsafeRawBufferPointer)
        /// One that is not known, or was bound.
        case other
        /// Any number of names.
        case anywhere

        /// `nil` where it is not known.
        var text: UnsafeRawBufferPointer? {
            if case .text(let text) = self { text } else { nil }
        }
    }

    private(set) var count = 0
    private var names = UnsafeMutableBufferPointer<Name>.allocate(capacity: 16)
    private let texts = TextMemory()

    deinit { names.deallocate() }

    subscript(place: Int) -> Name { names[place] }

    /// Takes the path of a document.
    func set(database: String, names: [String]) {
        var byteCount = database.utf8.count
        for name in names { byteCount += name.utf8.count }
        reserve(nameCount: 3 + names.count, byteCount: byteCount)
        append(.text("databases"))
        append(.text(texts.append(database)))
        append(.text("documents"))
        for name in names { append(.text(texts.append(name))) }
    }

    /// Takes a path.
    func set(_ segments: [RulesPath.Segment]) {
        var byteCount = 0
        for case .literal(let name) in segments { byteCount += name.utf8.count }
        reserve(nameCount: segments.count, byteCount: byteCount)
        for segment in segments {
            switch segment {
            case .literal(let name): append(.text(texts.append(name)))
            case .anywhere: append(.anywhere)
            case .capture, .glob, .unbound: append(.other)
            }
        }
    }

    private func reserve(nameCount: Int, byteCount: Int) {
        count = 0
        texts.empty(for: byteCount)
        guard nameCount > names.count else { return }
        names.deallocate()
        names = .allocate(capacity: nameCount)
    }

    private func append(_ name: Name) {
        names.initializeElement(at: count, to: name)
        count += 1
    }
}

extension PathNames.Name {
    fileprivate static func text(_ name: StaticString) -> Self {
        .text(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}
