// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

extension TransportBody {
    /// The body in one piece, with an asterisk for each byte of the words, so that it is counted as it came.
    ///
    /// A body that breaks off gives the bytes that came, and then throws.
    func masking(_ words: [String]) -> TransportBody {
        let words = words.filter { !$0.isEmpty }.map { Data($0.utf8) }
        let end = Locked<Result<Void, any Error>?>(nil)
        return TransportBody(
            AsyncThrowingStream {
                if let end = end.withLock({ $0 }) {
                    try end.get()
                    return nil
                }
                var data = Data()
                do {
                    for try await piece in self { data.append(piece) }
                    end.withLock { $0 = .success(()) }
                } catch {
                    end.withLock { $0 = .failure(error) }
                }
                for word in words { data.mask(word) }
                return data
            }
        )
    }
}

extension Data {
    fileprivate mutating func mask(_ word: Data) {
        var rest = startIndex..<endIndex
        while let found = range(of: word, in: rest) {
            replaceSubrange(found, with: Data(repeating: UInt8(ascii: "*"), count: found.count))
            rest = found.upperBound..<endIndex
        }
    }
}
