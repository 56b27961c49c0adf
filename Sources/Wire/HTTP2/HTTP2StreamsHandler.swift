// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Hands the frames of a connection to their streams.
///
/// The codec's own multiplexer makes a channel with a pipeline for each stream, which costs several times as much as a
/// small call; here a stream is one object. Flow control is shared: the codec holds back what the client has no room
/// for, and the streams report what they have consumed.
final class HTTP2StreamsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let connection: StreamConnection
    let callers = CallerCache()
    let memory: ConnectionMemory
    /// The last stream that the client opened.
    private(set) var lastStreamID = HTTP2StreamID.rootStream
    /// When the last stream ended.
    private(set) var idleSince = NIODeadline.now()
    /// Called when no stream is left.
    var onIdle: () -> Void = {}

    /// How many of the streams that were read together may do small work at once.
    ///
    /// Handing it to a thread, and its result back, takes longer; more would keep this thread while others are idle.
    private static let atOnceCountMax = 4

    private let service: any WireStreamService
    /// Answers the streams that are not the service's.
    private let requests: HTTPStreams
    private let unknown: UsageAttribution
    private let meter: HTTP2ConnectionMeter?
    private var streams: [HTTP2StreamID: WireStream] = [:]
    /// The streams that frames have come for since the last read was complete.
    private var read: [WireStream] = []
    /// The streams that ended in a flush; the client gets its bytes before they are cleared away.
    private var ended: [HTTP2StreamID] = []
    private var isFlushing = false
    /// Bytes that the client may still send on all streams, as the codec counts them: it reports DATA that it drops, too.
    private var windowByteCount = HTTP2Limits.windowByteCountAtFirst
    private var context: ChannelHandlerContext?
    /// Frames are being read, or many streams are writing: a flush waits until that is over.
    private var isBusy = false
    private var wantsFlush = false

    init(
        service: any WireStreamService,
        requests: HTTPStreams,
        unknown: UsageAttribution,
        connection: StreamConnection,
        meter: HTTP2ConnectionMeter?
    ) {
        self.service = service
        self.requests = requests
        self.unknown = unknown
        self.connection = connection
        memory = ConnectionMemory(connection.budget)
        self.meter = meter
    }

    var isIdle: Bool { streams.isEmpty }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection.become(self)
        openWindow()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        connection.become(nil)
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isBusy = true
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let payload):
            let stream = streams[frame.streamID] ?? open(frame.streamID, head: payload.headers)
            read.append(stream)
            stream.received(payload.headers, endsRequest: payload.endStream)
        case .data(let payload):
            received(payload, on: frame.streamID)
        default:
            if frame.streamID == .rootStream { context.fireChannelRead(data) }
        }
    }

    private func open(_ streamID: HTTP2StreamID, head: HPACKHeaders) -> WireStream {
        let streamMeter = meter?.stream(Int32(streamID))
        let stream = WireStream(
            streamID,
            exchange: streamMeter?.exchange ?? Exchange(attribution: unknown),
            meter: streamMeter,
            streams: self
        )
        stream.begin(service.open(stream, head: head) ?? requests.open(stream))
        streams[streamID] = stream
        lastStreamID = max(lastStreamID, streamID)
        return stream
    }

    private func received(_ payload: HTTP2Frame.FramePayload.Data, on streamID: HTTP2StreamID) {
        guard case .byteBuffer(let bytes) = payload.data else { return }
        let padding = payload.paddingBytes.map { $0 + 1 } ?? 0
        guard let stream = streams[streamID] else { return }
        if read.last !== stream { read.append(stream) }
        stream.received(bytes, padding: padding, endsRequest: payload.endStream)
    }

    /// Lets the client fill the connection's window again.
    private func openWindow() {
        let byteCount = HTTP2Limits.connectionWindowByteCount - windowByteCount
        windowByteCount = HTTP2Limits.connectionWindowByteCount
        write(HTTP2Frame(streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: byteCount)), promise: nil)
        flush()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Not with the frame: the codec may still have to report an older size of the window.
        if windowByteCount <= HTTP2Limits.connectionWindowByteCount / 2 { openWindow() }
        // First those for other threads, which so begin sooner.
        completeReading(read.dropLast(Self.atOnceCountMax), atOnce: false)
        completeReading(read.suffix(Self.atOnceCountMax), atOnce: true)
        read.removeAll(keepingCapacity: true)
        becomeIdle()
        context.fireChannelReadComplete()
    }

    private func completeReading(_ streams: ArraySlice<WireStream>, atOnce: Bool) {
        var works: [ReadWork] = []
        for stream in streams {
            let work = stream.readCompleted(atOnce: atOnce)
            if case .none = work { continue }
            works.append(work)
        }
        if !works.isEmpty { StreamBatch.run(works, for: connection, on: service.executor) }
    }

    /// Runs what may write to many streams, and flushes once behind it.
    func batch(_ body: () -> Void) {
        guard !isBusy else { return body() }
        isBusy = true
        body()
        becomeIdle()
    }

    private func becomeIdle() {
        isBusy = false
        guard wantsFlush else { return }
        wantsFlush = false
        flushNow()
    }

    // MARK: Writing

    func write(_ frame: HTTP2Frame, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func flush() {
        if isBusy {
            wantsFlush = true
        } else {
            flushNow()
        }
    }

    private func flushNow() {
        // A flush within a flush is part of it.
        guard !isFlushing else { return context?.flush() ?? () }
        isFlushing = true
        context?.flush()
        isFlushing = false
        for streamID in ended { close(streamID) }
        ended.removeAll(keepingCapacity: true)
    }

    // MARK: Ends

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Comparing types is quicker than casting, and the first come with every stream.
        let kind: Any.Type = type(of: event)
        if kind == NIOHTTP2WindowUpdatedEvent.self { return noteWindow(event) }
        if kind == NIOHTTP2StreamCreatedEvent.self || kind == NIOHTTP2BulkStreamWindowChangeEvent.self { return }
        switch event {
        case let event as StreamClosedEvent:
            if isFlushing { ended.append(event.streamID) } else { close(event.streamID) }
        case is ChannelShouldQuiesceEvent:
            for stream in Array(streams.values) { stream.serverStops() }
            context.fireUserInboundEventTriggered(event)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Every DATA frame counts, padding too, and those of streams that were reset (RFC 9113 section 6.9).
    private func noteWindow<Event>(_ event: Event) {
        guard Event.self == NIOHTTP2WindowUpdatedEvent.self else { return }
        // A cast would take a hundredth of a small call's instructions.
        let event = unsafeBitCast(event, to: NIOHTTP2WindowUpdatedEvent.self)
        guard event.streamID == .rootStream, let byteCount = event.inboundWindowSize else { return }
        windowByteCount = byteCount
    }

    private func close(_ streamID: HTTP2StreamID) {
        guard let stream = streams.removeValue(forKey: streamID) else { return }
        stream.closed()
        guard streams.isEmpty else { return }
        idleSince = .now()
        onIdle()
    }

    func channelInactive(context: ChannelHandlerContext) {
        for streamID in Array(streams.keys) { close(streamID) }
        context.fireChannelInactive()
    }

    /// Ends all streams.
    func endGrace() {
        for stream in Array(streams.values) { stream.graceEnded() }
    }
}
