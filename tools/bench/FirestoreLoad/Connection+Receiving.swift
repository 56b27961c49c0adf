// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Connection {
    /// Reads once from the socket and handles every whole frame; false when nothing came.
    @discardableResult
    func receive(waits: Bool = false) throws(LoadError) -> Bool {
        let free = UnsafeMutableRawBufferPointer(rebasing: input[inputFilled...])
        guard let count = try socket.read(into: free, waits: waits) else { return false }
        receivedByteCount += count
        inputFilled += count
        var start = 0
        while let frame = Frame(UnsafeRawBufferPointer(rebasing: input[start..<inputFilled])) {
            try handle(frame)
            start += frame.byteCount
        }
        let rest = UnsafeRawBufferPointer(rebasing: input[start..<inputFilled])
        guard rest.count < input.count else { throw .unexpected("a frame that is too long, or no HTTP/2") }
        input.copyMemory(from: rest)
        inputFilled = rest.count
        return true
    }

    private func handle(_ frame: Frame) throws(LoadError) {
        switch FrameType(rawValue: frame.type) {
        case .data: try handleData(frame)
        case .headers, .continuation: try handleHeaders(frame)
        case .reset: try handleReset(frame)
        case .settings: try handleSettings(frame)
        case .windowUpdate: try handleWindowUpdate(frame)
        case .ping where frame.flags & Frame.acknowledgement == 0:
            appendFrame(.ping, flags: Frame.acknowledgement, stream: 0, frame.payload)
        case .goAway:
            throw .unexpected("GOAWAY with error \(try frame.integer(at: 4))")
        default: break
        }
    }

    private func handleData(_ frame: Frame) throws(LoadError) {
        unacknowledged += frame.payload.count
        if unacknowledged > Self.receiveWindow / 4 {
            appendWindowUpdate(unacknowledged)
            unacknowledged = 0
        }
        guard let stream = streams[frame.stream] else { return }
        try stream.receive(try frame.content())
        if frame.flags & Frame.endStream != 0 { try end(stream) }
    }

    private func handleHeaders(_ frame: Frame) throws(LoadError) {
        guard frame.flags & Frame.endHeaders != 0, headerBlock.isEmpty else {
            return try collectHeaders(frame)
        }
        try apply(try headerReader.read(try frame.content()), frame.stream, isEnd: frame.flags & Frame.endStream != 0)
    }

    /// A header block in several frames.
    private func collectHeaders(_ frame: Frame) throws(LoadError) {
        // The stream's end is marked by the first frame, the block's by the last.
        if frame.type == FrameType.headers.rawValue { headerBlock = [frame.flags & Frame.endStream] }
        headerBlock.append(contentsOf: try frame.content())
        guard frame.flags & Frame.endHeaders != 0 else { return }
        let block = headerBlock
        headerBlock = []
        var reader = headerReader
        let result = block.withUnsafeBytes { bytes in
            Result { () throws(LoadError) in try reader.read(UnsafeRawBufferPointer(rebasing: bytes[1...])) }
        }
        headerReader = reader
        try apply(try result.get(), frame.stream, isEnd: block[0] != 0)
    }

    private func apply(_ headers: ResponseHeaders, _ id: UInt32, isEnd: Bool) throws(LoadError) {
        guard let stream = streams[id] else { return }
        stream.headers.httpStatus = headers.httpStatus ?? stream.headers.httpStatus
        stream.headers.grpcStatus = headers.grpcStatus ?? stream.headers.grpcStatus
        if !headers.grpcMessage.isEmpty { stream.headers.grpcMessage = headers.grpcMessage }
        try stream.checkHeaders(isEnd: false)
        if isEnd { try end(stream) }
    }

    private func end(_ stream: RPCStream) throws(LoadError) {
        streams[stream.id] = nil
        try stream.checkHeaders(isEnd: true)
        try stream.observer.ended(stream)
    }

    private func handleReset(_ frame: Frame) throws(LoadError) {
        guard let stream = streams[frame.stream] else { return }
        throw .unexpected("RST_STREAM with error \(try frame.integer(at: 0)) for \(stream.path)")
    }

    private func handleSettings(_ frame: Frame) throws(LoadError) {
        guard frame.flags & Frame.acknowledgement == 0 else { return }
        for offset in stride(from: 0, to: frame.payload.count - 5, by: 6) {
            let value = Int(try frame.integer(at: offset + 2))
            switch Int(frame.payload[offset]) << 8 | Int(frame.payload[offset + 1]) {
            case 1: peer.headerTableByteCount = value
            case 3: peer.streamCountMax = value
            case 4:
                for stream in streams.values { stream.sendWindow += value - peer.streamWindow }
                peer.streamWindow = value
            case 5: peer.frameByteCountMax = value
            default: break
            }
        }
        peer.isKnown = true
        appendFrame(.settings, flags: Frame.acknowledgement, stream: 0, EmptyCollection())
        sendHeldBack()
    }

    private func handleWindowUpdate(_ frame: Frame) throws(LoadError) {
        let increment = Int(try frame.integer(at: 0) & 0x7FFF_FFFF)
        if frame.stream == 0 {
            sendWindow += increment
        } else {
            streams[frame.stream]?.sendWindow += increment
        }
        sendHeldBack()
    }
}
