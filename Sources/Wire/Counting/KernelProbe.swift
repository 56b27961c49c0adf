// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

#if canImport(Glibc)
import Glibc
#endif

/// Asks the kernel what became of a connection's bytes.
///
/// It keeps a duplicate of the socket's descriptor, because the figures are wanted after the channel has closed its own;
/// the kernel ends the connection when both are closed, and then still delivers what it had accepted.
struct KernelProbe: ~Copyable {
    #if os(Linux)
    private let descriptor: CInt

    /// The most bytes that the kernel takes before it has sent them.
    ///
    /// Linux would take megabytes, and a response that a client breaks off would count as gone long before it went.
    static let unsentByteCountMax: CInt = 128 << 10
    /// Attempts to get figures of one moment: a peer that floods fills the window at last.
    private static let questionCountMax = 64

    /// Descriptors from here on are kept for connections: a process that may have 20,000 then holds 12,500 of them, of which 7,500
    /// are looked after.
    private static let descriptorLimit: CInt = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        return CInt(clamping: limit.rlim_cur / 4 * 3)
    }()

    /// Returns `nil` when few descriptors are left, as the kernel gives out the lowest first.
    init?(duplicating socket: CInt) {
        let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        guard duplicate < Self.descriptorLimit else {
            Glibc.close(duplicate)
            return nil
        }
        descriptor = duplicate
        var limit = Self.unsentByteCountMax
        let notSentLowWaterMark: CInt = 25  // TCP_NOTSENT_LOWAT, linux/tcp.h
        setsockopt(duplicate, CInt(IPPROTO_TCP), notSentLowWaterMark, &limit, socklen_t(MemoryLayout<CInt>.size))
    }

    deinit { Glibc.close(descriptor) }

    /// Bytes that left for the peer, or that the kernel will still deliver; a FIN may count as one more.
    ///
    /// A reset connection delivers nothing more, so what counts there is what was sent at least once. Otherwise it is
    /// everything that write(2) accepted: acknowledged or still queued. `nil` where the kernel does not report it.
    func sentByteCount() -> Int64? {
        withTCPInfo { state, counter in
            if state == TCPInfo.closedState || isToBeReset {
                return counter(TCPInfo.bytesSentOffset) - counter(TCPInfo.bytesRetransmittedOffset)
            }
            return counter(TCPInfo.bytesAcknowledgedOffset) + queued(outputQueueRequest)
        }
    }

    /// Bytes that came from the peer, and those of them that are unread, as of one moment.
    ///
    /// The peer's FIN may count as one more. `all` is `nil` where the kernel does not report it.
    func receivedByteCounts() -> (all: Int64?, unread: Int64) {
        var all = receivedByteCount()
        var unread = queued(inputQueueRequest)
        // A peer that floods may send more between the two questions.
        for _ in 0..<Self.questionCountMax {
            let later = receivedByteCount()
            guard later != all else { break }
            all = later
            unread = queued(inputQueueRequest)
        }
        return (all, unread)
    }

    private func receivedByteCount() -> Int64? {
        withTCPInfo { _, counter in counter(TCPInfo.bytesReceivedOffset) }
    }

    /// Calls back with the state of the connection and its counters by their offsets; `nil` where there are not all.
    private func withTCPInfo(_ body: (_ state: UInt8, _ counter: (Int) -> Int64) -> Int64) -> Int64? {
        withUnsafeTemporaryAllocation(byteCount: TCPInfo.byteCount, alignment: 8) { info in
            var length = socklen_t(TCPInfo.byteCount)
            guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, info.baseAddress, &length) == 0,
                Int(length) >= TCPInfo.bytesRetransmittedOffset + 8
            else { return nil }
            return body(info[0]) { info.load(fromByteOffset: $0, as: Int64.self) }
        }
    }

    /// Whether the end of the connection throws away what has not been sent, see ``AnswerBreak/reset(_:)``.
    private var isToBeReset: Bool {
        var option = linger()
        var length = socklen_t(MemoryLayout<linger>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, &length) == 0 else { return false }
        return option.l_onoff != 0 && option.l_linger == 0
    }

    /// Whether the kernel still has bytes to deliver, so that the peer may yet refuse some of them.
    func isDelivering() -> Bool { queued(outputQueueRequest) > 0 && state() != TCPInfo.closedState }

    /// Why an exchange breaks off if the connection has just ended, or is about to.
    func abortCause() -> AbortCause? {
        guard !isToBeReset else { return .serverClosed }
        return TCPInfo.clientEndedStates.contains(state()) ? .clientClosed : .serverClosed
    }

    /// Whose FIN, which is not a byte of the stream, the kernel may have counted as one by now.
    func countedFINs() -> (ofClient: Bool, own: Bool) {
        let state = state()
        return (!TCPInfo.beforeClientEndStates.contains(state), !TCPInfo.beforeOwnEndStates.contains(state))
    }

    /// Ends the connection as close(2) does, but keeps the figures.
    func endConnection() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    private func state() -> UInt8 {
        var state: UInt8 = 0
        var length = socklen_t(1)
        getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &state, &length)
        return state
    }

    private func queued(_ request: UInt) -> Int64 {
        var count: CInt = 0
        return ioctl(descriptor, request, &count) == 0 ? Int64(count) : 0
    }

    /// SIOCINQ and SIOCOUTQ of linux/sockios.h; the C library does not export them.
    private var inputQueueRequest: UInt { 0x541B }
    private var outputQueueRequest: UInt { 0x5411 }

    /// Where `struct tcp_info` of linux/tcp.h, as of Linux 4.19, keeps what we read; its tcpi_state is the first byte.
    private enum TCPInfo {
        static let byteCount = 256
        static let closedState: UInt8 = 7
        /// TCP_CLOSE, TCP_CLOSE_WAIT and TCP_LAST_ACK (linux/tcp_states.h): a reset came, or the client's FIN came first.
        static let clientEndedStates: Set<UInt8> = [7, 8, 9]
        /// TCP_ESTABLISHED, TCP_FIN_WAIT1 and TCP_FIN_WAIT2: the client's FIN has not come.
        static let beforeClientEndStates: Set<UInt8> = [1, 4, 5]
        /// TCP_ESTABLISHED and TCP_CLOSE_WAIT: ours has not been sent.
        static let beforeOwnEndStates: Set<UInt8> = [1, 8]
        static let bytesAcknowledgedOffset = 120
        static let bytesReceivedOffset = 128
        static let bytesSentOffset = 200
        static let bytesRetransmittedOffset = 208
    }
    #else
    init?(duplicating socket: CInt) { return nil }
    func sentByteCount() -> Int64? { nil }
    func receivedByteCounts() -> (all: Int64?, unread: Int64) { (nil, 0) }
    func isDelivering() -> Bool { false }
    func abortCause() -> AbortCause? { nil }
    func countedFINs() -> (ofClient: Bool, own: Bool) { (false, false) }
    func endConnection() {}
    #endif
}
