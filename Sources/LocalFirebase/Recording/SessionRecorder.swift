// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Metering
import NIOConcurrencyHelpers
import SessionLog

/// Writes every usage record to a session log.
///
/// Lines are written on a queue of their own: the event loop that served the request does not wait for the disk, unless
/// more lines wait than ``waitingLineCountMax``.
final class SessionRecorder: UsageRecording {
    /// The most lines that wait to be written.
    static let waitingLineCountMax = 10_000

    private struct State {
        var waitingLineCount = 0
        var failure: (any Error)?
    }

    private let writer: SessionLogWriter
    private let queue = DispatchQueue(label: "firemeter.session-recorder", qos: .utility)
    private let state = NIOLockedValueBox(State())

    init(path: String, header: SessionHeader, rotation: SessionLogRotation?) throws {
        writer = try SessionLogWriter(path, header: header, rotation: rotation)
    }

    /// A line is a request: later parts of one, and bytes of none, are left to the ledger.
    func record(_ record: UsageRecord) {
        guard record.requestCount > 0 else { return }
        append([.request(SessionRequest(record: record))])
    }

    /// Takes the line back by another, and reports the request again.
    func amend(_ former: UsageRecord, to record: UsageRecord) {
        guard former.requestCount > 0 else { return }
        append([.retraction(SessionRequest(record: former)), .request(SessionRequest(record: record))])
    }

    private func append(_ entries: [SessionEntry]) {
        let waiting = state.withLockedValue { state in
            state.waitingLineCount += entries.count
            return state.waitingLineCount
        }
        queue.async { [self] in write(entries) }
        if waiting > Self.waitingLineCountMax { queue.sync {} }
    }

    private func write(_ entries: [SessionEntry]) {
        var failure: (any Error)?
        do { try writer.append(entries) } catch { failure = error }
        state.withLockedValue { state in
            state.waitingLineCount -= entries.count
            state.failure = state.failure ?? failure
        }
    }

    /// Writes what waits and closes the log; throws the first error of any line, or why the log could not be set aside.
    func close() throws {
        queue.sync {}
        writer.close()
        if let failure = state.withLockedValue({ $0.failure }) ?? writer.rotationFailure { throw failure }
    }
}
