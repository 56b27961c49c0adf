// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import Testing

@testable import SecurityRules

/// Values as `debug()` shows them, by answers of the official emulator 1.19.9 (2026-11).
@Suite(.timeLimit(.minutes(5)))
struct DebugTests {
    struct Case: CustomTestStringConvertible {
        let value: RulesValue
        let lines: [String]

        init(_ value: RulesValue, _ lines: String...) { (self.value, self.lines) = (value, lines) }

        var testDescription: String { lines.joined(separator: " ") }
    }

    private static let cases = [
        Case(.boolean(true), "bool_value: true"),
        Case(.integer(-1), "int_value: -1"),
        Case(.float(100_000_000), "float_value: 1.0E8"),
        Case(.null, "null_value: NULL_VALUE"),
        Case(.string("é'\n\u{7}"), #"string_value: "\303\251\'\n\a""#),
        Case(.bytes([0, 255, 65]), #"bytes_value: "\000\377A""#),
        Case(.timestamp(Timestamp(seconds: 5, nanoseconds: 7)), "timestamp_value {", "  seconds: 5", "  nanos: 7", "}"),
        Case(.timestamp(Timestamp(seconds: 0)), "timestamp_value {", "}"),
        Case(.latLng(GeoPoint(latitude: 1, longitude: 0)), "latlng_value {", "  latitude: 1.0", "}"),
        Case(
            .list([.integer(1), .list([])]),
            "list_value {",
            "  values {",
            "    int_value: 1",
            "  }",
            "  values {",
            "    list_value {",
            "    }",
            "  }",
            "}"
        ),
        Case(.set(RulesSet([.null])), "set_value {", "  values {", "    null_value: NULL_VALUE", "  }", "}"),
        Case(
            .map(RulesMap(["b": .null, "a": .integer(1)])),
            "map_value {",
            "  fields {",
            #"    key: "a""#,
            "    value {",
            "      int_value: 1",
            "    }",
            "  }",
            "  fields {",
            #"    key: "b""#,
            "    value {",
            "      null_value: NULL_VALUE",
            "    }",
            "  }",
            "}"
        ),
        Case(
            .mapDiff(MapDiff(RulesMap(["a": .integer(1)]), RulesMap(["a": .integer(1)]))),
            "map_diff_value {",
            "  key_statuses {",
            #"    key: "a""#,
            "    value: UNCHANGED",
            "  }",
            "}"
        ),
        Case(
            .constraint(Constraint([Constraint.Part(.greater, .integer(1))])),
            "constraint_value {",
            "  simple_constraints {",
            "    comparator: GT",
            "    value {",
            "      int_value: 1",
            "    }",
            "  }",
            "}"
        ),
        Case(
            .path(RulesPath([.literal("a"), .capture("x", bound: "q"), .glob("y", bound: ["r"])])),
            "path_value {",
            "  segments {",
            #"    simple: "a""#,
            "  }",
            "  segments {",
            "    capture {",
            #"      variable_name: "x""#,
            #"      bound_value: "q""#,
            "    }",
            "  }",
            "  segments {",
            "    glob_capture {",
            #"      variable_name: "y""#,
            "      bound_value {",
            "        segments {",
            #"          simple: "r""#,
            "        }",
            "      }",
            "    }",
            "  }",
            "}"
        ),
    ]

    @Test(arguments: cases)
    func `a value is shown in Protocol Buffers' text format`(_ each: Case) {
        #expect(each.value.protoText == each.lines.map { "\($0)\n" }.joined())
    }
}
