// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files that pillow-heif and Pillow made, of red and blue over green and yellow.
enum HEIFSamples {
    /// HEIC, stored as 24x16 and turned a quarter to the right: seen as 16x24, green and red over yellow and blue.
    static let heic = bytes(
        "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAcdtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
            + "ADRpbG9jAAAAAERAAAIAAQAAAAAB6wABAAAAAAAAAFQAAgAAAAACPwABAAAAAAAAACQAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAA"
            + "AAABAABodmMxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAABBmlwcnAAAADlaXBjbwAAAHVodmNDAQNwAAAA"
            + "kAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQApQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq"
            + "rprm4CGgwIAAAAyAAAADAIRiAAEABkQBwXPBiQAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFw"
            + "AAAAGAAAAAEAAAAQAAAAAf///9gAAAAC////0AAAAAIAAAAQcGl4aQAAAAADCAgIAAAACWlyb3QDAAAAGWlwbWEAAAAAAAAAAQAB"
            + "BoECAwWEhgAAABppcmVmAAAAAAAAAA5jZHNjAAIAAQABAAAAgG1kYXQAAABQKAGvGSGpNFjwn1ywrv1sV47WYYuLL6y7KJRFE6cB"
            + "xn8+vM87xk4AFGoNZhbb8oxt7FDA8kc6bUoKXu/628DrurYxftVlENdqCA+PNYB4ccAAAAAGRXhpZgAATU0AKgAAAAgAAQESAAMA"
            + "AAABAAYAAAAAAAA="
    )

    /// AVIF, 24x16.
    static let avif = bytes(
        "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA"
            + "AAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAANgAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEA"
            + "AGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAGAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwA"
            + "AAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAPm1kYXQSAAoJGBDv7RAQ0GhAMidHEeHhd3TTTTCw"
            + "ACDkjjc2D+sdbBQEMXvNpDkFBwiSte8ajPr5hsA="
    )

    private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }

    /// The HEIC file with some of its bytes replaced, `distance` behind the first occurrence of a box's name.
    static func heic(replacing name: String, distance: Int, with bytes: [UInt8]) -> [UInt8] {
        var file = heic
        let start = file.indices.first { file[$0...].starts(with: name.utf8) } ?? 0
        file.replaceSubrange(start + distance..<start + distance + bytes.count, with: bytes)
        return file
    }

    /// A sequence parameter set of HEVC that goes no further than its sizes, in 40 bytes, as is that of the HEIC file.
    static func parameterSet(width: Int, height: Int) -> [UInt8] {
        // Its header, layers, profile and level, numbers and chroma 4:2:0.
        var bits = "01000010" + "00000001" + "0000" + "000" + "1" + String(repeating: "1", count: 96) + "1" + "010"
        for side in [width, height] {
            let digits = String(side + 1, radix: 2)
            bits += String(repeating: "0", count: digits.count - 1) + digits
        }
        bits += String(repeating: "1", count: 40 * 8 - bits.count)
        return bytes(ofBits: bits)
    }

    /// A sequence header of AV1, with the byte that says so and its length before it.
    static func sequenceHeader(width: Int, height: Int) -> [UInt8] {
        var bits = "000" + "1" + "1" + "00000" + "1111" + "1111"
        for side in [width, height] {
            let digits = String(side - 1, radix: 2)
            bits += String(repeating: "0", count: 16 - digits.count) + digits
        }
        bits += String(repeating: "0", count: 8 - bits.count % 8)
        let contents = bytes(ofBits: bits)
        return [0x0A, UInt8(contents.count)] + contents
    }

    private static func bytes(ofBits bits: String) -> [UInt8] {
        let digits = Array(bits)
        return stride(from: 0, to: digits.count, by: 8).compactMap { UInt8(String(digits[$0..<$0 + 8]), radix: 2) }
    }
}
