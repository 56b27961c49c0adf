// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Testing

struct ObjectGlobTests {
    @Test(
        "stands for names",
        arguments: [
            ("a", ["a"], ["b", "aa", "A", "a/"]),
            ("foo*bar", ["foobar", "fooXbar", "foobarbar"], ["foo/bar", "foobarx", "xfoobar"]),
            ("foo**bar", ["foobar", "foo/bar", "foo/foobar", "foo/x/bar"], ["foo/barx"]),
            ("**/foobar", ["foobar", "foo/foobar", "a/b/foobar", "/foobar"], ["xfoobar", "foo/xfoobar"]),
            ("a/**/b", ["a/b", "a/x/b", "a/x/y/b", "a//b"], ["ab", "a/xb", "a/x/yb"]),
            ("a**/b", ["a/b", "ax/b", "ax/y/b"], ["ab", "b"]),
            ("**", ["a", "a/b", "/", "a/b/"], []),
            ("***", ["a", "a/b"], []),
            ("*", ["a", "ab"], ["a/b", "/"]),
            ("*/*", ["a/b", "/"], ["a", "a/b/c"]),
            ("a/*", ["a/b", "a/"], ["a/b/c", "a"]),
            ("a/**", ["a/b", "a/b/c", "a/"], ["a", "b/c"]),
            ("foo?bar", ["foo1bar", "fooébar", "foo🇪bar"], ["foobar", "foo/bar", "foo12bar"]),
            ("??", ["ab", "é\u{301}"], ["a", "abc", "é"]),
            ("*/ba[rz]", ["foo/bar", "foo/baz"], ["foo/bax", "ba/ba", "foo/barz"]),
            ("*/ba[!a-y]", ["foo/baz", "foo/ba1"], ["foo/bar", "foo/ba", "foo/ba/"]),
            ("[^/a]", ["b"], ["a", "/"]),
            ("[a-cx-z]", ["a", "b", "c", "x", "z"], ["d", "w", "-"]),
            ("[a-]", ["a", "-"], ["b"]),
            ("[-a]", ["a", "-"], ["b"]),
            ("[\\]\\-\\\\]", ["]", "-", "\\"], ["a"]),
            ("[é-ü]", ["é", "ö"], ["e", "e\u{301}"]),
            ("[*?{]", ["*", "?", "{"], ["a"]),
            ("**/{foobar,baz}", ["foobar", "foo/baz", "foo/foobar"], ["foo/bar", "xbaz"]),
            ("foo/{foo*,*baz}", ["foo/foobar", "foo/baz", "foo/xbaz"], ["foo/bar", "foo/foo/x"]),
            ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"], ["a", "ab", "abc"]),
            ("{a,{b,c}d}e", ["ae", "bde", "cde"], ["be", "de", "e"]),
            ("x{,y}", ["x", "xy"], ["xyy", "y"]),
            ("{}x", ["x"], ["{}x"]),
            ("{a/**/b,c}", ["a/b", "a/x/b", "c"], ["a"]),
            ("a,b", ["a,b"], ["a", "b"]),
            ("a}b]", ["a}b]"], []),
            ("\\*\\?\\[\\{\\\\", ["*?[{\\"], ["a"]),
            (
                "img-[0-9][0-9].{png,jp{,e}g}", ["img-01.png", "img-42.jpg", "img-42.jpeg"],
                ["img-1.png", "img-01.gif"]
            ),
            ("\u{e9}", ["\u{e9}"], ["e\u{301}"]),
            ("a\u{300}*", ["a\u{300}", "a\u{300}b"], ["a", "\u{e0}"]),
        ]
    )
    func standsFor(pattern: String, names: [String], others: [String]) throws {
        let glob = try ObjectGlob(pattern)
        for name in names { #expect(glob.matches(name), "\(pattern) stands for \(name)") }
        for name in others { #expect(!glob.matches(name), "\(pattern) does not stand for \(name)") }
    }

    @Test(
        "tells what every name begins with",
        arguments: [
            ("a/b", "a/b"), ("a/b*", "a/b"), ("a/**/b", "a/"), ("**/a", ""), ("*", ""), ("a?b", "a"), ("a[b]", "a"),
            ("a{b,c}", "a"), ("{a,b}", ""), ("a\\*b*", "a*b"), ("é*", "é"),
        ]
    )
    func begins(pattern: String, prefix: String) throws {
        #expect(try ObjectGlob(pattern).literalPrefix == prefix)
    }

    @Test(
        "refuses what is no pattern",
        arguments: [
            ("", ObjectGlob.Failure.empty),
            (String(repeating: "a", count: ObjectGlob.byteCountMax + 1), .tooLong),
            (String(repeating: "{", count: ObjectGlob.depthMax + 1), .tooDeep),
            ("[", .unclosedBracket), ("[a", .unclosedBracket), ("[!", .unclosedBracket), ("a[b", .unclosedBracket),
            ("[]", .emptyBracket), ("[!]", .emptyBracket), ("[]a]", .emptyBracket),
            ("[z-a]", .reversedRange),
            ("{", .unclosedBrace), ("{a", .unclosedBrace), ("{a,", .unclosedBrace), ("{{a}", .unclosedBrace),
            ("\\", .danglingEscape), ("a\\", .danglingEscape), ("[\\", .danglingEscape),
        ]
    )
    func refuses(pattern: String, failure: ObjectGlob.Failure) {
        #expect(throws: failure) { try ObjectGlob(pattern) }
        #expect(!failure.description.isEmpty)
    }

    @Test(
        "takes no time that grows with the ways through a pattern",
        .timeLimit(.minutes(5)),
        arguments: [
            String(repeating: "*a", count: 30) + "b", String(repeating: "**/", count: 30) + "b",
            String(repeating: "{a,aa,*}", count: 30) + "b", String(repeating: "{,{,a}}", count: 30) + "b",
        ]
    )
    func isQuick(pattern: String) throws {
        let glob = try ObjectGlob(pattern)
        #expect(!glob.matches(String(repeating: "a", count: 200)))
        #expect(!glob.matches(String(repeating: "a/", count: 100)))
    }

    @Test func `agrees with a matcher that tries everything`() throws {
        let alphabet = Array("ab/")
        var names = [""]
        for _ in 0..<3 { names += names.flatMap { name in alphabet.map { name + String($0) } } }
        names = Array(Set(names))
        let parts = ["a", "/", "*", "**", "?"]
        for first in parts {
            for second in parts {
                for third in parts {
                    let pattern = first + second + third
                    let glob = try ObjectGlob(pattern)
                    for name in names {
                        let expected = Self.tryEverything(pattern[...], name[...], beginsSegment: true)
                        #expect(glob.matches(name) == expected, "\(pattern) and \(name)")
                    }
                }
            }
        }
    }

    private static func tryEverything(_ pattern: Substring, _ name: Substring, beginsSegment: Bool) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if pattern.hasPrefix("**") {
            let rest = pattern.drop { $0 == "*" }
            if beginsSegment, rest.first == "/" {
                let behind = rest.dropFirst()
                if tryEverything(behind, name, beginsSegment: true) { return true }
                return name.indices.contains {
                    name[$0] == "/" && tryEverything(behind, name[name.index(after: $0)...], beginsSegment: true)
                }
            }
            return (Array(name.indices) + [name.endIndex]).contains {
                tryEverything(rest, name[$0...], beginsSegment: false)
            }
        }
        if first == "*" {
            let rest = pattern.dropFirst()
            let segment = name.prefix { $0 != "/" }
            return (Array(segment.indices) + [segment.endIndex]).contains {
                tryEverything(rest, name[$0...], beginsSegment: false)
            }
        }
        guard let character = name.first, first == "?" ? character != "/" : character == first else { return false }
        return tryEverything(pattern.dropFirst(), name.dropFirst(), beginsSegment: first == "/")
    }
}
