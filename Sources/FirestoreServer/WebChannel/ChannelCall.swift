// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Wire

/// A call that pages make over a channel; the raw value is its name in paths.
enum ChannelCall: String {
    case listen = "Listen"
    case write = "Write"

    /// The call in the path of a request.
    init?(path: Substring) {
        guard path.hasPrefix(Self.prefix), path.hasSuffix(Self.suffix) else { return nil }
        self.init(rawValue: String(path.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)))
    }

    /// The operation's name in usage records.
    var operation: String { rawValue.lowercased() }

    private static let prefix = "/google.firestore.v1.Firestore/"
    private static let suffix = "/channel"

    /// Makes what answers the messages of a session.
    func handler(
        for session: ChannelSession,
        calls: FirestoreCalls,
        context: CallContext,
        running: RunningWork
    ) -> any ChannelHandler {
        switch self {
        case .listen: ListenChannel(session, calls: calls, context: context, running: running)
        case .write: WriteChannel(session, calls: calls, context: context, running: running)
        }
    }
}
