// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// The index at which `pattern` first occurs.
    func firstIndex(ofBytes pattern: [UInt8]) -> Int? {
        guard let first = pattern.first else { return nil }
        return withUnsafeBufferPointer { bytes in
            var start = 0
            while bytes.count - start >= pattern.count {
                guard let candidate = bytes[start...].firstIndex(of: first) else { return nil }
                guard bytes.count - candidate >= pattern.count else { return nil }
                if bytes[candidate..<candidate + pattern.count].elementsEqual(pattern) { return candidate }
                start = candidate + 1
            }
            return nil
        }
    }
}
