// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ConsoleServer
import Foundation
import Metering
import NIOConcurrencyHelpers
import ObjectStore
import SessionLog

/// The session log of an emulator: written from the start on to a file of the user's, or begun and ended by the console, in a
/// temporary directory.
final class LiveRecording: UsageRecording {
    /// A log that the console began ends at this size.
    static let byteCountMax: Int64 = 512 << 20

    private struct Log {
        let recorder: SessionRecorder
        let path: String
        let start: Int64
        var end: Int64?
        /// Where it is, unless the user named the file.
        var directory: EphemeralDirectory?
    }

    private let log = NIOLockedValueBox<Log?>(nil)
    /// Held while a log is begun or closed; not while one ends because it is full.
    private let change = NIOLock()
    private let recording: RecordingSwitch
    private let header: SessionHeader
    private let objects: SQLiteObjectStore
    private let temporaryDirectory: String
    private let now: @Sendable () -> Int64

    /// Begins to record where the user has named a file.
    init(
        _ configuration: EmulatorConfiguration,
        header: SessionHeader,
        objects: SQLiteObjectStore,
        recording: RecordingSwitch
    ) throws {
        self.recording = recording
        (self.header, self.objects) = (header, objects)
        (temporaryDirectory, now) = (configuration.temporaryDirectory, configuration.now)
        guard let path = configuration.recordPath else { return }
        let recorder = try SessionRecorder(
            path: path,
            header: header,
            rotation: configuration.recordRotation,
            objects: objects
        )
        log.withLockedValue { $0 = Log(recorder: recorder, path: path, start: now()) }
        recording.turn(on: true)
    }

    /// While a session is recorded, its lines say by which connection they came.
    var takesRuns: Bool { !recording.isOn }

    func record(_ record: UsageRecord) { current?.record(record) }

    func amend(_ former: UsageRecord, to record: UsageRecord) { recorder(of: former)?.amend(former, to: record) }

    func recording(connectionFrom address: @autoclosure () -> String?) -> any UsageRecording {
        RecordedConnection(recording: self, address: address())
    }

    /// The recorder, while a session is recorded.
    fileprivate var current: SessionRecorder? {
        guard recording.isOn else { return nil }
        return log.withLockedValue { $0?.end == nil ? $0?.recorder : nil }
    }

    /// The recorder, where its log has a record.
    fileprivate func recorder(of former: UsageRecord) -> SessionRecorder? {
        guard recording.isOn else { return nil }
        let end = former.startMicroseconds + former.durationMicroseconds
        return log.withLockedValue { log in
            guard let log, log.end == nil, log.start <= end else { return nil }
            return log.recorder
        }
    }

    /// Begins a log in the place of the one that there is.
    private func begin() throws {
        let directory = try EphemeralDirectory(in: temporaryDirectory)
        let path = directory.path + "/session.log"
        let recorder = try SessionRecorder(
            path: path,
            header: header,
            objects: objects,
            byteCountMax: Self.byteCountMax
        ) { [weak self] in
            self?.end(path)
        }
        let next = Log(recorder: recorder, path: path, start: now(), directory: directory)
        let former = log.withLockedValue { log in
            defer { log = next }
            return log
        }
        // Off and on again, so that answers that are remembered describe their objects to this log, too.
        recording.turn(on: false)
        recording.turn(on: true)
        try? former?.recorder.close()
        former?.directory?.remove()
    }

    /// Ends a log, where it is the present one.
    private func end(_ path: String) {
        log.withLockedValue { log in
            guard log?.path == path, log?.end == nil else { return }
            log?.end = now()
            recording.turn(on: false)
        }
    }

    /// Writes what waits, closes the log, and removes it where it is in a temporary directory; throws the first error of a log
    /// that the user named.
    func close() throws {
        try change.withLock {
            recording.turn(on: false)
            guard let log = log.withLockedValue({ $0.take() }) else { return }
            defer { log.directory?.remove() }
            do {
                try log.recorder.close()
            } catch {
                if log.directory == nil { throw error }
            }
        }
    }
}

extension LiveRecording: SessionRecordings {
    var status: RecordingStatus? {
        guard let log = log.withLockedValue(\.self) else { return nil }
        let counts = log.recorder.counts
        return RecordingStatus(
            path: log.directory == nil ? log.path : nil,
            startMicroseconds: log.start,
            endMicroseconds: log.end,
            requestCount: counts.requests,
            byteCount: counts.bytes,
            isFull: log.directory != nil && counts.bytes >= Self.byteCountMax
        )
    }

    func start() throws {
        try change.withLock {
            guard log.withLockedValue({ $0 == nil || $0?.end != nil }) else { return }
            try begin()
        }
    }

    func stop() throws(RecordingRefusal) {
        guard let log = log.withLockedValue(\.self) else { return }
        guard log.directory != nil else { throw .namedByUser }
        end(log.path)
    }

    func restart() throws {
        try change.withLock {
            guard log.withLockedValue({ $0 == nil || $0?.directory != nil }) else { throw RecordingRefusal.namedByUser }
            try begin()
        }
    }

    func copy() throws -> SessionCopy? {
        guard let log = log.withLockedValue(\.self) else { return nil }
        let directory = try EphemeralDirectory(in: temporaryDirectory)
        do {
            return SessionCopy(path: try log.recorder.copy(into: directory.path)) { directory.remove() }
        } catch {
            directory.remove()
            throw error
        }
    }
}

/// Takes the records of one connection, whose lines say by which it came.
private final class RecordedConnection: UsageRecording {
    private let recording: LiveRecording
    private let address: String?
    /// The recorder of the last line, and its view of the connection.
    private let latest = NIOLockedValueBox<(of: SessionRecorder, sink: any UsageRecording)?>(nil)

    init(recording: LiveRecording, address: String?) {
        (self.recording, self.address) = (recording, address)
    }

    var takesRuns: Bool { recording.takesRuns }

    func record(_ record: UsageRecord) { sink(of: recording.current)?.record(record) }

    func amend(_ former: UsageRecord, to record: UsageRecord) {
        sink(of: recording.recorder(of: former))?.amend(former, to: record)
    }

    private func sink(of recorder: SessionRecorder?) -> (any UsageRecording)? {
        guard let recorder else { return nil }
        return latest.withLockedValue { latest in
            if let latest, latest.of === recorder { return latest.sink }
            let sink = recorder.recording(connectionFrom: address)
            latest = (recorder, sink)
            return sink
        }
    }
}
