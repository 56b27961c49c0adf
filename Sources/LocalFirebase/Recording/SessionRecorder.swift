// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Metering
import NIOConcurrencyHelpers
import ObjectStore
import SessionLog

/// Writes every usage record to a session log, and which documents and objects it was about.
///
/// Lines are written on a queue of their own: the event loop that served the request does not wait for the disk, unless
/// more lines wait than ``waitingLineCountMax``.
final class SessionRecorder: UsageRecording {
    /// The most lines that wait to be written.
    static let waitingLineCountMax = 10_000

    private struct State {
        var waitingLineCount = 0
        var counts = Counts()
        var connectionCount = 0
        /// The numbers of addresses, which are not written: they are personal data.
        var peers: [String: Int] = [:]
        var failure: (any Error)?
    }

    /// The written lines.
    struct Counts {
        var requests: Int64 = 0
        var bytes: Int64 = 0
    }

    private let writer: SessionLogWriter
    private let path: String
    private let byteCountMax: Int64
    /// Called once the log has that size.
    private let onFull: @Sendable () -> Void
    private let queue = DispatchQueue(label: "firemeter.session-recorder", qos: .utility)
    private let state = NIOLockedValueBox(State())
    /// The data that the file has lines of; used on the queue only.
    private let described: NIOLockedValueBox<DescribedData>

    init(
        path: String,
        header: SessionHeader,
        rotation: SessionLogRotation? = nil,
        objects: SQLiteObjectStore,
        byteCountMax: Int64 = .max,
        onFull: @escaping @Sendable () -> Void = {}
    ) throws {
        (self.path, self.byteCountMax, self.onFull) = (path, byteCountMax, onFull)
        writer = try SessionLogWriter(path, header: header, rotation: rotation)
        described = NIOLockedValueBox(DescribedData(objects: objects))
    }

    /// The counts of all lines, once those that wait are written.
    var counts: Counts {
        queue.sync {}
        return state.withLockedValue(\.counts)
    }

    func record(_ record: UsageRecord) { self.record(record, from: nil) }

    func amend(_ former: UsageRecord, to record: UsageRecord) { amend(former, to: record, from: nil) }

    /// Numbers the connection, and its address.
    func recording(connectionFrom address: @autoclosure () -> String?) -> any UsageRecording {
        let address = address()
        let origin = state.withLockedValue { state in
            state.connectionCount += 1
            guard let address else { return SessionRequest.Origin(connection: state.connectionCount) }
            let peer = state.peers[address] ?? state.peers.count + 1
            state.peers[address] = peer
            return SessionRequest.Origin(peer: peer, connection: state.connectionCount)
        }
        return ConnectionRecorder(recorder: self, origin: origin)
    }

    fileprivate func record(_ record: UsageRecord, from origin: SessionRequest.Origin?) {
        append([record], from: origin)
    }

    /// Takes the line back by another, and reports the request again.
    fileprivate func amend(_ former: UsageRecord, to record: UsageRecord, from origin: SessionRequest.Origin?) {
        guard former.requestCount > 0 else {
            // A part reversed brings no documents again.
            var reversed = former.reversed
            reversed.notes.detail = nil
            return append([reversed, record], from: origin)
        }
        append([record], takingBack: former, from: origin)
    }

    private func append(
        _ records: [UsageRecord],
        takingBack former: UsageRecord? = nil,
        from origin: SessionRequest.Origin?
    ) {
        let waiting = state.withLockedValue { state in
            state.waitingLineCount += records.count
            return state.waitingLineCount
        }
        queue.async { [self] in write(records, takingBack: former, from: origin) }
        if waiting > Self.waitingLineCountMax { queue.sync {} }
    }

    private func write(
        _ records: [UsageRecord],
        takingBack former: UsageRecord?,
        from origin: SessionRequest.Origin?
    ) {
        var failure: (any Error)?
        let entries = described.withLockedValue { described in
            described.enter(file: writer.fileNumber)
                + (former.map { described.entries(takingBack: $0, from: origin) } ?? [])
                + records.flatMap { described.entries(of: $0, from: origin) }
        }
        var byteCount: Int64?
        do { byteCount = try writer.append(entries) } catch { failure = error }
        let isFull = state.withLockedValue { state in
            state.waitingLineCount -= records.count
            state.failure = state.failure ?? failure
            state.counts.requests += records.reduce(-(former?.requestCount ?? 0)) { $0 + $1.requestCount }
            state.counts.bytes = byteCount ?? state.counts.bytes
            return byteCount ?? 0 >= byteCountMax
        }
        if isFull { onFull() }
    }

    /// Copies the whole lines of the log, with the parts of it that were set aside.
    func copy(into directory: String) throws -> String {
        try queue.sync { try LogCopy(of: path, into: directory) }.finish()
    }

    /// Writes what waits and closes the log; throws the first error of any line, or why the log could not be set aside.
    func close() throws {
        queue.sync {}
        writer.close()
        if let failure = state.withLockedValue({ $0.failure }) ?? writer.rotationFailure { throw failure }
    }
}

/// Takes the records of one connection, whose lines say by which it came.
private struct ConnectionRecorder: UsageRecording {
    let recorder: SessionRecorder
    let origin: SessionRequest.Origin

    /// Records are gathered over all connections.
    var takesRuns: Bool { false }

    func record(_ record: UsageRecord) { recorder.record(record, from: origin) }

    func amend(_ former: UsageRecord, to record: UsageRecord) { recorder.amend(former, to: record, from: origin) }
}
