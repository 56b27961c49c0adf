// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A message in Protocol Buffers' text format.
struct ProtoText {
    private(set) var lines: [String] = []

    /// Adds a field with a value of one line.
    mutating func add(_ name: String, _ value: String) { lines.append("\(name): \(value)") }

    /// Adds a field with a message.
    mutating func add(_ name: String, _ make: (inout ProtoText) -> Void) {
        var inner = ProtoText()
        make(&inner)
        lines.append("\(name) {")
        lines += inner.lines.map { "  \($0)" }
        lines.append("}")
    }

    /// The lines, each with its end.
    var text: String { lines.map { "\($0)\n" }.joined() }
}

extension RulesValue {
    /// The value as `debug()` shows it, in the official emulator's form (1.19.9, 2026-11); nothing for a failure.
    package var protoText: String {
        var text = ProtoText()
        write(to: &text)
        return text.text
    }

    fileprivate func write(to text: inout ProtoText) {
        switch self {
        case .null: text.add("null_value", "NULL_VALUE")
        case .boolean(let isTrue): text.add("bool_value", "\(isTrue)")
        case .integer(let number): text.add("int_value", "\(number)")
        case .float(let number): text.add("float_value", number.javaText)
        case .string(let string): text.add("string_value", string.utf8.quotedProtoText)
        case .bytes(let bytes): text.add("bytes_value", bytes.quotedProtoText)
        case .timestamp(let time): text.add("timestamp_value", seconds: time.seconds, nanos: Int64(time.nanoseconds))
        case .duration(let span): text.add("duration_value", seconds: span.seconds, nanos: Int64(span.nanoseconds))
        case .latLng(let place):
            text.add("latlng_value") {
                if place.latitude != 0 { $0.add("latitude", place.latitude.javaText) }
                if place.longitude != 0 { $0.add("longitude", place.longitude.javaText) }
            }
        case .path(let path): path.write(to: &text, as: "path_value")
        case .list(let elements): text.add("list_value", values: elements)
        case .set(let set): text.add("set_value", values: set.elements)
        case .vector(let numbers): text.add("vector_value", values: numbers.map(RulesValue.float))
        case .map(let map): map.write(to: &text)
        case .mapDiff(let difference): difference.write(to: &text)
        case .constraint(let constraint): constraint.write(to: &text)
        case .failure: break
        }
    }
}

extension ProtoText {
    fileprivate mutating func add(_ name: String, seconds: Int64, nanos: Int64) {
        add(name) { text in
            if seconds != 0 { text.add("seconds", "\(seconds)") }
            if nanos != 0 { text.add("nanos", "\(nanos)") }
        }
    }

    fileprivate mutating func add(_ name: String, values: [RulesValue]) {
        add(name) { text in
            for value in values { text.add("values") { value.write(to: &$0) } }
        }
    }
}

extension RulesMap {
    fileprivate func write(to text: inout ProtoText) {
        text.add("map_value") { text in
            for key in keys {
                text.add("fields") { field in
                    field.add("key", key.utf8.quotedProtoText)
                    field.add("value") { self[key]?.write(to: &$0) }
                }
            }
        }
    }
}

extension MapDiff {
    fileprivate func write(to text: inout ProtoText) {
        text.add("map_diff_value") { text in
            for (key, status) in statuses.sorted(by: { $0.key < $1.key }) {
                text.add("key_statuses") { entry in
                    entry.add("key", key.utf8.quotedProtoText)
                    entry.add("value", "\(status)".uppercased())
                }
            }
        }
    }
}

extension Constraint {
    fileprivate func write(to text: inout ProtoText) {
        text.add("constraint_value") { text in
            for part in parts {
                text.add("simple_constraints") { simple in
                    simple.add("comparator", part.comparator.protoName)
                    simple.add("value") { part.value.write(to: &$0) }
                }
            }
        }
    }
}

extension Constraint.Comparator {
    /// The name in the official emulator's messages.
    var protoName: String {
        switch self {
        case .equal: "EQ"
        case .notEqual: "NEQ"
        case .less: "LT"
        case .lessOrEqual: "LTE"
        case .greater: "GT"
        case .greaterOrEqual: "GTE"
        case .listContains: "LIST_CONTAINS"
        }
    }
}

extension RulesPath {
    /// Writes the path as a field.
    fileprivate func write(to text: inout ProtoText, as name: String) {
        text.add(name) { text in
            for segment in segments { text.add("segments") { segment.write(to: &$0) } }
        }
    }

    /// The names as failures show them.
    var protoText: String {
        var text = ProtoText()
        RulesPath(names: names ?? []).write(to: &text, as: "path_value")
        return text.text
    }
}

extension RulesPath.Segment {
    fileprivate func write(to text: inout ProtoText) {
        switch self {
        case .literal(let name): text.add("simple", name.utf8.quotedProtoText)
        case .capture(let name, let bound):
            text.add("capture") { capture in
                capture.add("variable_name", name.utf8.quotedProtoText)
                if let bound { capture.add("bound_value", bound.utf8.quotedProtoText) }
            }
        case .glob(let name, let bound):
            text.add("glob_capture") { capture in
                capture.add("variable_name", name.utf8.quotedProtoText)
                if let bound { RulesPath(names: bound).write(to: &capture, as: "bound_value") }
            }
        case .unbound, .anywhere: break
        }
    }
}

extension Sequence<UInt8> {
    /// The bytes between quotes, with the escapes of C.
    fileprivate var quotedProtoText: String {
        let escapes: [UInt8: String] = [
            7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", UInt8(ascii: "\""): "\\\"",
            UInt8(ascii: "'"): "\\'", UInt8(ascii: "\\"): "\\\\",
        ]
        let coded = map { byte in
            if let escape = escapes[byte] { return escape }
            if (0x20..<0x7F).contains(byte) { return String(Unicode.Scalar(byte)) }
            return "\\" + String(String(Int(byte) + 0o1000, radix: 8).dropFirst())
        }
        return "\"\(coded.joined())\""
    }
}
