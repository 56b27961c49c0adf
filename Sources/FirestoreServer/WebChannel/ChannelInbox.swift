// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The messages of a session, put in their order: a page numbers them, and repeats those of a request that was lost.
struct ChannelInbox {
    /// A message of the page: the JSON of a request of the call.
    struct Message: Equatable {
        let number: Int
        let json: [UInt8]
    }

    private var nextNumber = 0
    /// Messages before which others are missing, by their numbers.
    private var parked: [Int: [UInt8]] = [:]
    private var parkedByteCount = 0

    /// Takes the messages of a request, and returns those whose turn it is; what was there before is passed over.
    ///
    /// - Throws: `CallError` (resource exhausted) where too many wait for one that is missing.
    mutating func take(_ messages: [Message]) throws(CallError) -> [[UInt8]] {
        for message in messages where message.number >= nextNumber && parked[message.number] == nil {
            parked[message.number] = message.json
            parkedByteCount += message.json.count
        }
        var ready: [[UInt8]] = []
        while let json = parked.removeValue(forKey: nextNumber) {
            ready.append(json)
            parkedByteCount -= json.count
            nextNumber += 1
        }
        guard parked.count <= ChannelLimits.messageCountMax, parkedByteCount <= ChannelLimits.parkedByteCountMax else {
            throw .channelMessageMissing(nextNumber)
        }
        return ready
    }
}

extension CallError {
    fileprivate static func channelMessageMissing(_ number: Int) -> Self {
        Self(code: .resourceExhausted, message: "Too many messages wait for message \(number), which has not come.")
    }
}
