// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One call that is waited for.
final class UnaryCall: StreamObserver {
    private var messages: [[UInt8]] = []
    private var isEnded = false

    private init() {}

    /// The messages of the answer, whose status is 0.
    static func run(_ path: String, _ message: [UInt8], on pool: ConnectionPool) throws(LoadError) -> [[UInt8]] {
        let call = UnaryCall()
        pool.connections[0].start(path: path, request: Connection.framed(message), observer: call)
        try pool.run { call.isEnded }
        return call.messages
    }

    func received(_ message: UnsafeRawBufferPointer, on stream: RPCStream) {
        messages.append(Array(message))
    }

    func ended(_ stream: RPCStream) {
        isEnded = true
    }
}
