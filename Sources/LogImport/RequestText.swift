// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Gathers the texts of a request that a format does not have side by side, decoded.
struct RequestText {
    private var bytes: [UInt8] = []

    /// Forgets what was gathered.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Adds a text.
    mutating func append(_ text: some StringProtocol) -> Range<Int> {
        let start = bytes.count
        bytes += text.utf8
        return start..<bytes.count
    }

    /// Hands on a request whose texts are parts of what was gathered.
    func withRequest<Result>(_ body: (inout LoggedRequest) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { buffer in
            var request = LoggedRequest(of: buffer)
            return try body(&request)
        }
    }
}
