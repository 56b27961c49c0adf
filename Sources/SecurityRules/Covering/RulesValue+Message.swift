// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import FirestoreModel
import Foundation

extension MessageText {
    /// Adds the members of a value as reports of the official emulator have them (1.19.9, 2026-11).
    mutating func add(_ value: RulesValue, in source: SourceText) {
        switch value {
        case .null: member("nullValue") { $0.raw("null") }
        case .boolean(let isTrue): member("boolValue") { $0.raw("\(isTrue)") }
        case .integer(let number): member("intValue", string: "\(number)")
        case .float(let number): member("floatValue", float: number)
        case .string(let text): member("stringValue", string: text)
        case .bytes(let bytes): member("bytesValue", string: Data(bytes).base64EncodedString())
        case .timestamp(let time): member("timestampValue", string: time.messageText)
        case .duration(let span): member("durationValue", string: span.messageText)
        case .latLng(let place):
            member("latlngValue") { text in
                text.object { text in
                    if place.latitude != 0 { text.member("latitude", float: place.latitude) }
                    if place.longitude != 0 { text.member("longitude", float: place.longitude) }
                }
            }
        case .path(let path): member("pathValue") { $0.add(path) }
        case .list(let elements): add("listValue", elements, in: source)
        case .set(let set): add("setValue", set.elements, in: source)
        case .vector(let numbers): add("vectorValue", numbers.map(RulesValue.float), in: source)
        case .map(let map): add(map, in: source)
        case .mapDiff(let difference): add(difference)
        case .constraint(let constraint): add(constraint, in: source)
        case .failure(let failure): member("undefined") { text in text.object { $0.add(failure, in: source) } }
        }
    }

    /// Adds the place of a token or of a node.
    mutating func add(_ position: RulesIssue.Position) {
        member("sourcePosition") { text in
            text.object { text in
                text.member("line", number: position.line)
                text.member("column", number: position.column)
                if position.offset != 0 { text.member("currentOffset", number: position.offset) }
                if position.endOffset != 0 { text.member("endOffset", number: position.endOffset) }
            }
        }
    }

    private mutating func add(_ failure: Failure, in source: SourceText) {
        guard case .located(let reason, let place) = failure else { return }
        add(source.position(of: place))
        if let cause = reason.text { member("causeMessage", string: cause) }
    }

    private mutating func add(_ name: String, _ elements: [RulesValue], in source: SourceText) {
        member(name) { text in
            text.object { text in
                text.member("values", list: elements) { text, element in text.object { $0.add(element, in: source) } }
            }
        }
    }

    private mutating func add(_ map: RulesMap, in source: SourceText) {
        let keys = map.orderedKeys
        member("mapValue") { text in
            text.object { text in
                guard !keys.isEmpty else { return }
                text.member("fields") { text in
                    text.object { text in
                        for key in keys {
                            guard let value = map[key] else { continue }
                            text.member(key) { text in text.object { $0.add(value, in: source) } }
                        }
                    }
                }
            }
        }
    }

    private mutating func add(_ difference: MapDiff) {
        member("mapDiffValue") { text in
            text.object { text in
                guard !difference.statuses.isEmpty else { return }
                text.member("keyStatuses") { text in
                    text.object { text in
                        for key in difference.order {
                            guard let status = difference.statuses[key] else { continue }
                            text.member(key, string: "\(status)".uppercased())
                        }
                    }
                }
            }
        }
    }

    private mutating func add(_ constraint: Constraint, in source: SourceText) {
        member("constraintValue") { text in
            text.object { text in
                text.member("simpleConstraints", list: constraint.parts) { text, part in
                    text.object { text in
                        text.member("comparator", string: part.comparator.protoName)
                        text.member("value") { text in text.object { $0.add(part.value, in: source) } }
                    }
                }
            }
        }
    }

    private mutating func add(_ path: RulesPath) {
        object { text in
            text.member("segments", list: path.segments) { text, segment in text.object { $0.add(segment) } }
        }
    }

    private mutating func add(_ segment: RulesPath.Segment) {
        switch segment {
        case .literal(let name): member("simple", string: name)
        case .capture(let name, let bound):
            member("capture") { text in
                text.object { text in
                    text.member("variableName", string: name)
                    if let bound { text.member("boundValue", string: bound) }
                }
            }
        case .glob(let name, let bound):
            member("globCapture") { text in
                text.object { text in
                    text.member("variableName", string: name)
                    if let bound { text.member("boundValue") { $0.add(RulesPath(names: bound)) } }
                }
            }
        case .unbound: member("capture") { text in text.object { _ in } }
        case .anywhere: member("globCapture") { text in text.object { _ in } }
        }
    }
}

extension Timestamp {
    /// RFC 3339 with 0, 3, 6 or 9 digits behind the point.
    var messageText: String { "\(CivilTime(secondsSinceEpoch: seconds).text)\(nanoseconds.fractionText)Z" }
}

extension RulesDuration {
    /// Seconds with 0, 3, 6 or 9 digits behind the point.
    fileprivate var messageText: String {
        let sign = totalNanoseconds < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude)\(Int32(nanoseconds.magnitude).fractionText)s"
    }
}

extension Int32 {
    /// Nanoseconds as digits behind a point, in groups of three; nothing for zero.
    fileprivate var fractionText: String {
        if self == 0 { return "" }
        let digits = Int64(self).padded(to: 9)
        let count = self % 1_000_000 == 0 ? 3 : self % 1_000 == 0 ? 6 : 9
        return ".\(digits.prefix(count))"
    }
}
