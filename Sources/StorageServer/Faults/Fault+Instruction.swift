// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Wire

extension Fault.Effect {
    /// How long a stalled download rests.
    private static let stall = Duration.seconds(10)
    /// Where most instructions faultPoint.
    private static let quarterMebibyte: Int64 = 256 << 10

    /// The effect on an upload that the header `x-goog-emulator-instructions` asks for; `nil` for none.
    static func ofUpload(instruction: String) -> Self? {
        instruction == "return-503-after-256K" ? .brokenUpload(status: 503, after: quarterMebibyte) : nil
    }

    /// The effect that the header asks for on a download whose first byte is at `start` of the object; `nil` for nothing.
    ///
    /// Source: https://github.com/googleapis/storage-testbench#force-failures (0.45, 2026-11); a client that counts its
    /// attempts in `/retry-N` is let through from the third on.
    static func ofDownload(instruction: String, start: Int64) -> Self? {
        let (fault, attempt) = split(instruction)
        switch fault {
        case "return-broken-stream": return .brokenAnswer(after: 1 << 20)
        case "return-corrupted-data": return .corruptedAnswer
        case "stall-always": return .stall(stall, after: 0)
        case "stall-at-256KiB": return start == 0 ? .stall(stall, after: quarterMebibyte) : nil
        case "return-503-after-256K", "break-after-256K":
            guard attempt.map({ $0 < 3 }) ?? true else { return nil }
            if start == 0 { return .brokenAnswer(after: quarterMebibyte) }
            return attempt == nil ? nil : .status(503)
        default: return nil
        }
    }

    private static func split(_ instruction: String) -> (fault: String, attempt: Int?) {
        let parts = instruction.split(separator: "/retry-", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.count == 2 ? Int(parts[1]) : nil)
    }
}

extension Response {
    /// Where in its object the bytes of a download begin; `nil` for every other answer.
    var downloadStart: Int64? {
        // The bytes of objects alone carry the length of what is stored.
        guard let stored = HTTPField.Name("x-goog-stored-content-length"), headers[stored] != nil else { return nil }
        guard let range = headers[.contentRange] else { return 0 }
        return range.split(separator: " ").last?.split(separator: "-").first.flatMap { Int64($0) } ?? 0
    }
}
