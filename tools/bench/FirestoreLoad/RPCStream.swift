// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The receiver of a stream's events.
protocol StreamObserver: AnyObject {
    /// One gRPC message, or a part of a body that is none; the bytes are gone after the call.
    func received(_ message: UnsafeRawBufferPointer, on stream: RPCStream) throws(LoadError)
    func ended(_ stream: RPCStream) throws(LoadError)
}

/// One call on a connection.
final class RPCStream {
    static let messageByteCountMax = 64 << 20

    let id: UInt32
    let path: String
    unowned let connection: Connection
    let observer: any StreamObserver
    let startedAt = Clocks.monotonic()
    var sendWindow: Int
    /// Of the request, what flow control held back.
    var heldBack: ArraySlice<UInt8> = []
    var endsAfterRequest = true
    var headers = ResponseHeaders()

    private var partial: [UInt8] = []

    init(id: UInt32, path: String, connection: Connection, observer: any StreamObserver) {
        self.id = id
        self.path = path
        self.connection = connection
        sendWindow = connection.peer.streamWindow
        self.observer = observer
    }

    /// Throws unless what came so far is of a good answer.
    func checkHeaders(isEnd: Bool) throws(LoadError) {
        guard headers.httpStatus == 200 else {
            throw .unexpected("HTTP status \(headers.httpStatus ?? 0) for \(path)")
        }
        guard isEnd, isRPC else { return }
        guard let status = headers.grpcStatus else { throw .unexpected("no grpc-status for \(path)") }
        guard status == 0 else { throw .refused(path: path, status: status, message: headers.grpcMessage) }
    }

    /// A call of a plain HTTP/2 server, which measures the client alone, has another path.
    private var isRPC: Bool { path.hasPrefix("/google.firestore.") }

    /// Cuts the body into messages; most arrive whole and are passed on where they lie.
    func receive(_ data: UnsafeRawBufferPointer) throws(LoadError) {
        guard isRPC else { return try observer.received(data, on: self) }
        guard !partial.isEmpty else {
            let consumed = try deliver(data)
            partial.append(contentsOf: data[(data.startIndex + consumed)...])
            return
        }
        partial.append(contentsOf: data)
        var whole: [UInt8] = []
        swap(&whole, &partial)
        let result = whole.withUnsafeBytes { bytes in Result { () throws(LoadError) in try deliver(bytes) } }
        whole.removeFirst(try result.get())
        partial = whole
    }

    private func deliver(_ data: UnsafeRawBufferPointer) throws(LoadError) -> Int {
        var start = 0
        while data.count - start >= 5 {
            let prefix = UnsafeRawBufferPointer(rebasing: data[(data.startIndex + start)...])
            let count = Int(prefix.loadUnaligned(fromByteOffset: 1, as: UInt32.self).bigEndian)
            guard prefix[0] == 0 else { throw .unexpected("a compressed message") }
            guard count <= Self.messageByteCountMax else { throw .unexpected("a message of \(count) bytes") }
            guard prefix.count >= 5 + count else { break }
            try observer.received(UnsafeRawBufferPointer(rebasing: prefix[5..<(5 + count)]), on: self)
            start += 5 + count
        }
        return start
    }
}
