// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// The body of a page's request, a form: header fields for the whole session, and numbered messages.
///
///     headers=Authorization%3ABearer%20owner%0D%0A&count=1&ofs=4&req0___data__=%7B%22database%22...
struct ChannelBody {
    /// Header fields, their names in lower case.
    private(set) var headers: [String: String] = [:]
    private(set) var messages: [ChannelInbox.Message] = []

    /// Reads a form.
    ///
    /// - Throws: `CallError` (invalid argument) for one that no page sends.
    init(_ form: some Collection<UInt8>) throws(CallError) {
        var first = 0
        for pair in form.split(separator: UInt8(ascii: "&")) {
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let value = PercentCoding.decodedBytes(sides[1], plusIsSpace: true) else {
                throw .channelFormMalformed
            }
            let name = String(decoding: sides[0], as: UTF8.self)
            if name == "headers" {
                headers = Self.fields(String(decoding: value, as: UTF8.self))
            } else if name == "ofs" {
                guard let number = UInt32(String(decoding: value, as: UTF8.self)) else { throw .channelFormMalformed }
                first = Int(number)
            } else if let offset = Self.offset(of: name) {
                guard messages.count < ChannelLimits.messageCountMax, value.count <= ChannelLimits.messageByteCountMax
                else { throw .channelFormTooLong }
                messages.append(ChannelInbox.Message(number: offset, json: value))
            }
        }
        messages = messages.map { ChannelInbox.Message(number: first + $0.number, json: $0.json) }
    }

    /// The offset in `req12___data__`; `nil` for other parts of a message, which no call reads.
    private static func offset(of name: String) -> Int? {
        guard name.hasPrefix("req"), name.hasSuffix("___data__") else { return nil }
        return UInt32(name.dropFirst(3).dropLast(9)).map(Int.init)
    }

    private static func fields(_ text: String) -> [String: String] {
        let lines = text.split { $0.isNewline }.map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(
            lines.filter { $0.count == 2 }.map {
                ($0[0].lowercased(), String($0[1].trimmingPrefix(while: \.isWhitespace)))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension CallError {
    fileprivate static let channelFormMalformed = invalid("The body is no form of numbered messages.")

    fileprivate static let channelFormTooLong = invalid(
        """
        A request to a channel has at most \(ChannelLimits.messageCountMax) messages of \
        \(ChannelLimits.messageByteCountMax) bytes each.
        """
    )
}
