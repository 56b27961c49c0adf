// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import HTTPTypes
import ObjectStore
import Testing
import Wire

@testable import StorageServer

/// The parsers of client input never crash and never hang.
@Suite(.timeLimit(.minutes(5))) struct ParserRobustnessTests {
    /// Numbers that look random and are the same in each run (Knuth's MMIX constants).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    static let seeds = [
        "bytes=0-1,5-,-3, 9-9,7-8", "<a b='c'>x&amp;&#65;<b/><![CDATA[<]]><!-- y --></a>",
        "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nv\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\\\"b\"\r\n\r\nhello\r\n--b--",
        "{\"expiration\":\"2026-09-30T17:30:00.5Z\",\"conditions\":[{\"a\":1},[\"eq\",\"$key\",\"a\"],"
            + "[\"content-length-range\",0,9]]}",
        "form-data; name=\"a\"; filename=b", "20190201T090000Z", "Sat, 21 Nov 2026 00:51:46 GMT", "/bkt/a%2Fb",
        "a@b/20260930/auto/storage/goog4_request", "GoogleAccessId=a&Expires=1&Signature=AAAA&list-type=2&max-keys=1",
        "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=a/20260930/b/c/goog4_request&X-Goog-Date=20260930T010203Z"
            + "&X-Goog-Expires=9&X-Goog-SignedHeaders=host&X-Goog-Signature=00",
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\"a\"</ETag></Part></CompleteMultipartUpload>",
        "<Delete><Quiet>true</Quiet><Object><Key>a</Key><VersionId>1</VersionId></Object></Delete>",
    ]

    /// Changes, cuts, doubles and joins seeds.
    static func mutant(_ generator: inout Generator) -> [UInt8] {
        var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
        for _ in 0..<Int.random(in: 0...6, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(Array("<>&;-=,\"\r\n/%09b".utf8).randomElement(using: &generator) ?? 0, at: place)
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
            default: bytes.replaceSubrange(place..., with: seeds.randomElement(using: &generator)?.utf8 ?? "".utf8)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `reads anything`(seed: UInt64) {
        var generator = Generator(state: seed)
        for _ in 0..<2_000 {
            let bytes = Self.mutant(&generator)
            let text = String(decoding: bytes, as: UTF8.self)
            if case .parts(let ranges) = ByteRange(header: text, objectByteCount: 10) {
                #expect(ranges.count > 1 && ranges.reduce(0) { $0 + $1.count } <= 10)
            }
            if let element = try? XMLReader.read(bytes) {
                _ = try? XMLDeletion(element)
                _ = try? PartCompletion.parts(element)
            }
            if let policy = try? PostPolicy(json: bytes) {
                try? policy.judge(FormFields(), bucket: "b", key: text, now: 0)
                #expect(policy.byteCounts.lowerBound >= 0)
            }
            _ = FormPartHeader(bytes[...])
            _ = UTCTime.seconds(basic: text)
            _ = UTCTime.seconds(http: text)
            _ = SigningCredential(text)
            _ = RequestTarget("/\(text)?\(text)").map { target in
                _ = try? XMLRoute(method: .get, target: target)
                _ = try? XMLListingQuery(target)
                _ = try? LegacySignedURL(target)
                return try? SignedURL(target.query)
            }
            _ = RSAPublicKey(pem: "-----BEGIN PUBLIC KEY-----\n\(text)-----END PUBLIC KEY-----")
            _ = Hexadecimal.decode(text)
            _ = try? XMLCopySource.path(text)
            let whole = FormDataParserTests.parse(bytes)
            #expect(FormDataParserTests.parse(bytes, pieceByteCount: 1 + bytes.count % 7) == whole)
        }
    }
}
