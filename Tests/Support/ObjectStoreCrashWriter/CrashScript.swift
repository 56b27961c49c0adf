// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore

/// An endless, seeded sequence of operations on a few names, so that replacements and deletions abound.
struct CrashScript {
    private static let nameCount: UInt64 = 12
    private static let byteCountMax: UInt64 = 200_000

    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> CrashOperation {
        let name = "dir/\(draw(below: Self.nameCount))"
        if draw(below: 5) == 0 { return .delete(name) }
        let fill = UInt8(truncatingIfNeeded: draw(below: 256))
        return .put(name, [UInt8](repeating: fill, count: Int(draw(below: Self.byteCountMax))))
    }

    // SplitMix64, whose every seed gives a different sequence.
    private mutating func draw(below bound: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % bound
    }
}

/// One acknowledged change.
enum CrashOperation {
    case put(String, [UInt8])
    case delete(String)

    func run(on store: SQLiteObjectStore) throws {
        switch self {
        case .put(let name, let bytes):
            let upload = try store.beginUpload()
            try bytes.withUnsafeBytes { try upload.append($0) }
            // The contents are one repeated byte, which with the count says what the checksum will be.
            say("begin put \(name) \(bytes.first ?? 0) \(bytes.count)")
            _ = try upload.commit(to: path(name))
        case .delete(let name):
            say("begin delete \(name)")
            _ = try store.delete(at: path(name))
        }
        say("end")
    }

    private func path(_ name: String) -> ObjectPath {
        guard let path = ObjectPath(bucket: "bkt", name: name) else {
            preconditionFailure("the script's names are valid")
        }
        return path
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
