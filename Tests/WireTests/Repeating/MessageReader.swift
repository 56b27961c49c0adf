// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay

/// An answer as a client reads it.
struct Message {
    let head: String
    let body: String

    /// The header fields by their names in lower case.
    var fields: [String: String] {
        var fields: [String: String] = [:]
        for line in head.split(separator: "\r\n").dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            fields[sides[0].lowercased()] = sides[1].drop { $0 == " " }.description
        }
        return fields
    }

    /// Everything but when it was made.
    var undated: [String] {
        head.split(separator: "\r\n").map(String.init).filter {
            !$0.lowercased().hasPrefix("date:") && !$0.lowercased().hasPrefix("expires:")
        } + [body]
    }
}

/// Reads one answer after the other off a connection.
final class MessageReader {
    private let socket: LoopbackSocket
    private var unread: [UInt8] = []

    init(_ socket: LoopbackSocket) {
        self.socket = socket
    }

    func send(_ text: String) { socket.send(text.utf8) }

    func exchange(_ request: String) -> Message {
        send(request)
        return next(isHead: request.hasPrefix("HEAD"))
    }

    /// Reads the next answer; an informational one is passed over.
    func next(isHead: Bool) -> Message {
        let end = Array("\r\n\r\n".utf8)
        while unread.firstRange(of: end) == nil, receive() {}
        guard let range = unread.firstRange(of: end) else { return Message(head: "", body: "") }
        let message = Message(head: String(decoding: unread[..<range.lowerBound], as: UTF8.self), body: "")
        unread.removeSubrange(..<range.upperBound)
        if message.head.hasPrefix("HTTP/1.1 1") { return next(isHead: isHead) }
        let count = isHead ? 0 : message.fields["content-length"].flatMap { Int($0) } ?? 0
        while unread.count < count, receive() {}
        defer { unread.removeFirst(min(count, unread.count)) }
        return Message(head: message.head, body: String(decoding: unread.prefix(count), as: UTF8.self))
    }

    /// Ends the connection, and returns when the server has too.
    func end() {
        socket.shutdownSending()
        while receive() {}
    }

    private func receive() -> Bool {
        guard let bytes = socket.receive(), !bytes.isEmpty else { return false }
        unread += bytes
        return true
    }
}
