// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StorageServer

struct ByteRangeTests {
    /// As many ranges of a byte each, with gaps between them.
    static func ranges(_ count: Int) -> String { (0..<count).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",") }
    static func expected(_ count: Int) -> [Range<Int64>] { (0..<Int64(count)).map { $0 * 2..<$0 * 2 + 1 } }

    @Test(
        "applies a Range header to an object",
        arguments: [
            (nil, 11, .whole),
            ("bytes=0-4", 11, .part(0..<5)),
            ("Bytes=0-4", 11, .part(0..<5)),
            ("bytes=0-0", 11, .part(0..<1)),
            ("bytes=10-10", 11, .part(10..<11)),
            ("bytes=5-", 11, .part(5..<11)),
            ("bytes=5-99", 11, .part(5..<11)),
            ("bytes=5-99999999999999999999", 11, .part(5..<11)),
            ("bytes=0-9223372036854775807", 11, .part(0..<11)),
            ("bytes=-3", 11, .part(8..<11)),
            ("bytes=-99", 11, .part(0..<11)),
            ("bytes=-99999999999999999999", 11, .part(0..<11)),
            ("bytes=11-", 11, .unsatisfiable),
            ("bytes=11-11", 11, .unsatisfiable),
            ("bytes=20-30", 11, .unsatisfiable),
            ("bytes=99999999999999999999-", 11, .unsatisfiable),
            ("bytes=-0", 11, .unsatisfiable),
            ("bytes=0-0", 0, .unsatisfiable),
            ("bytes=0-", 0, .unsatisfiable),
            ("bytes=-0", 0, .unsatisfiable),
            ("bytes=-5", 0, .nothing),
            ("bytes=4-2", 11, .whole),
            ("bytes=-", 11, .whole),
            ("bytes=", 11, .whole),
            ("bytes=a-b", 11, .whole),
            ("bytes=+1-2", 11, .whole),
            ("bytes=--1", 11, .whole),
            ("bytes=0-1,3-4", 11, .parts([0..<2, 3..<5])),
            ("bytes=5-6, 0-1,\t-1", 11, .parts([5..<7, 0..<2, 10..<11])),
            ("bytes=0-1,2-3", 11, .parts([0..<2, 2..<4])),
            ("bytes=0-5,3-8", 11, .part(0..<9)),
            ("bytes=0-1,8-9,1-8", 11, .part(0..<10)),
            ("bytes=4-5,0-1,5-6,1-2", 11, .parts([4..<7, 0..<3])),
            ("bytes=0-,-3,2-4", 11, .part(0..<11)),
            ("bytes=0-1,20-30", 11, .part(0..<2)),
            ("bytes=20-30,-0", 11, .unsatisfiable),
            ("bytes=20-30,-1", 0, .nothing),
            ("bytes=,0-1,,", 11, .part(0..<2)),
            ("bytes=,", 11, .whole),
            ("bytes=0-1,x", 11, .whole),
            ("bytes=0-1,4-2", 11, .whole),
            ("bytes=\(ranges(32))", 1_000, .parts(expected(32))),
            ("bytes=\(ranges(33))", 1_000, .whole),
            ("bytes 0-1", 11, .whole),
            ("lines=0-1", 11, .whole),
        ] as [(String?, Int64, ByteRange)]
    )
    func applies(header: String?, objectByteCount: Int64, expected: ByteRange) {
        #expect(ByteRange(header: header, objectByteCount: objectByteCount) == expected)
    }

    @Test(
        "finds an entity tag in a list",
        arguments: [
            ("\"abc\"", "\"abc\"", true), ("W/\"abc\"", "\"abc\"", true), ("*", "\"abc\"", true),
            ("\"x\" , \"abc\"", "\"abc\"", true), ("abc", "\"abc\"", true), ("CAE=", "CAE=", true),
            ("\"CAE=\"", "CAE=", true), ("\"ab\"", "\"abc\"", false), ("", "\"abc\"", false),
        ]
    )
    func finds(list: String, tag: String, isListed: Bool) {
        #expect(EntityTags(list).contains(tag) == isListed)
    }
}
