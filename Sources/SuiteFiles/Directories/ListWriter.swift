// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import JSON

/// A file with a JSON object of one list, which is written an element at a time.
///
/// It is laid out as the official emulator's answers, so that two exports differ only where their data do.
struct ListWriter {
    private let path: String
    private let kind: String?
    private let member: String
    private var file: ExportFile?

    /// Names the file, which is made by the first element, or by ``finish()``; `kind` is a member before the list.
    init(_ path: String, kind: String? = nil, member: String) {
        (self.path, self.kind, self.member) = (path, kind, member)
    }

    /// Whether there is a file.
    var isBegun: Bool { file != nil }

    mutating func append(_ element: JSONText) throws {
        // A line break in rendered JSON is never part of a text.
        let lines = element.rendered().split(separator: "\n").joined(separator: "\n    ")
        try write((isBegun ? ",\n    " : beginning + "[\n    ") + lines)
    }

    mutating func finish() throws {
        try write(isBegun ? "\n  ]\n}" : beginning + "[]\n}")
    }

    private var beginning: String {
        let kind = kind.map { "  \"kind\": \(JSONText.quoted($0)),\n" } ?? ""
        return "{\n\(kind)  \(JSONText.quoted(member)): "
    }

    private mutating func write(_ text: String) throws {
        let file = try self.file ?? ExportFile.creating(path)
        self.file = file
        var text = text
        try text.withUTF8 { try file.append(UnsafeRawBufferPointer($0)) }
    }
}
