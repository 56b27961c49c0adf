// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Connection {
    /// Opens a stream and sends one message on it; `flush` puts it on the wire.
    @discardableResult
    func start(
        path: String,
        request: [UInt8],
        endsAfterRequest: Bool = true,
        observer: any StreamObserver
    ) -> RPCStream {
        let stream = RPCStream(id: nextStreamID, path: path, connection: self, observer: observer)
        nextStreamID += 2
        stream.endsAfterRequest = endsAfterRequest
        streams[stream.id] = stream
        appendFrame(.headers, flags: Frame.endHeaders, stream: stream.id, headers(path: path))
        stream.heldBack = request[...]
        if !sendBody(of: stream) { heldBack.append(stream) }
        return stream
    }

    /// A message with its gRPC prefix.
    static func framed(_ message: [UInt8]) -> [UInt8] {
        [0] + withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message
    }

    func sendHeldBack() {
        heldBack.removeAll { sendBody(of: $0) }
    }

    func appendFrame(_ type: FrameType, flags: UInt8 = 0, stream: UInt32, _ payload: some Collection<UInt8>) {
        let count = payload.count
        withUnsafeBytes(of: (UInt32(count) << 8 | UInt32(type.rawValue)).bigEndian) { output.append(contentsOf: $0) }
        output.append(flags)
        withUnsafeBytes(of: stream.bigEndian) { output.append(contentsOf: $0) }
        output.append(contentsOf: payload)
    }

    func appendWindowUpdate(_ increment: Int) {
        let bytes = withUnsafeBytes(of: UInt32(increment).bigEndian) { Array($0) }
        appendFrame(.windowUpdate, stream: 0, bytes)
    }

    /// Writes as much as the socket takes; false when something is left.
    func flush() throws(LoadError) -> Bool {
        guard outputWritten < output.count else { return true }
        let (socket, written) = (socket, outputWritten)
        let result = output.withUnsafeBytes { bytes in
            Result { () throws(LoadError) in try socket.write(UnsafeRawBufferPointer(rebasing: bytes[written...])) }
        }
        let count = try result.get()
        outputWritten += count
        sentByteCount += count
        guard outputWritten == output.count else { return false }
        output.removeAll(keepingCapacity: true)
        outputWritten = 0
        return true
    }

    /// Sends what the windows allow; true when the whole request is out.
    private func sendBody(of stream: RPCStream) -> Bool {
        repeat {
            let count = min(stream.heldBack.count, sendWindow, stream.sendWindow, peer.frameByteCountMax)
            guard count > 0 || stream.heldBack.isEmpty else { return false }
            let part = stream.heldBack.prefix(count)
            stream.heldBack = stream.heldBack.dropFirst(count)
            sendWindow -= count
            stream.sendWindow -= count
            let isLast = stream.heldBack.isEmpty && stream.endsAfterRequest
            appendFrame(.data, flags: isLast ? Frame.endStream : 0, stream: stream.id, part)
        } while !stream.heldBack.isEmpty
        return true
    }

    private func headers(path: String) -> [UInt8] {
        if headerWriter == nil {
            headerWriter = HeaderBlockWriter(
                authority: authority,
                shared: requestHeaders,
                tableByteCountMax: peer.headerTableByteCount
            )
        }
        return headerWriter?.block(path: path) ?? []
    }
}
