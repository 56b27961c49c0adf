// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One HTTP/2 connection with prior knowledge (RFC 9113): no more of the protocol than a load needs, so that the client
/// takes as little of the processor from the server as it can.
final class Connection {
    static let receiveWindow = Int(Int32.max)
    static let defaultWindow = 65_535
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let inputByteCount = 1 << 20

    let socket: Socket
    let authority: String
    let requestHeaders: [(name: String, value: String)]
    var peer = PeerSettings()
    var streams: [UInt32: RPCStream] = [:]
    var nextStreamID: UInt32 = 1
    var sendWindow = Connection.defaultWindow
    /// Streams whose request waits for the server to widen a window.
    var heldBack: [RPCStream] = []
    var output: [UInt8] = []
    var outputWritten = 0
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Connection.inputByteCount, alignment: 8)
    var inputFilled = 0
    /// Received and not yet given back to the server's window.
    var unacknowledged = 0
    var headerBlock: [UInt8] = []
    var headerReader = HeaderBlockReader()
    var headerWriter: HeaderBlockWriter?
    var receivedByteCount = 0
    var sentByteCount = 0

    init(host: String, port: UInt16, requestHeaders: [(name: String, value: String)]) throws(LoadError) {
        socket = try Socket(host: host, port: port)
        self.requestHeaders = requestHeaders
        authority = "\(host):\(port)"
        output += Self.preface
        // No push, windows that never close: the server is the limit, not the client.
        appendFrame(.settings, stream: 0, [0, 2, 0, 0, 0, 0, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        appendWindowUpdate(Self.receiveWindow - Self.defaultWindow)
    }

    deinit {
        input.deallocate()
        socket.close()
    }
}

/// The server's SETTINGS; the protocol's defaults before they arrive.
struct PeerSettings {
    var isKnown = false
    var headerTableByteCount = 4_096
    var streamCountMax = Int(Int32.max)
    var streamWindow = Connection.defaultWindow
    var frameByteCountMax = 16_384
}
