// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Basics
import CacheSimulation
import Foundation
import LocalFirebase
import LogImport
import Metering
import SessionLog

/// A failure that ends the command with an exit code of sysexits.
struct CommandFailure: Error {
    let exitCode: Int32
    let message: String

    /// Returns `nil` for an error that says itself how the command ends.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as AuditError: self.init(exitCode: error.exitCode, message: error.description)
        case let error as EmulatorError: self.init(exitCode: error.exitCode, message: error.description)
        case let error as SessionLogError: self.init(exitCode: error.exitCode, message: error.description)
        case let error as ProfileError: self.init(exitCode: error.isInFile ? 65 : 64, message: error.description)
        case let error as StrategyError: self.init(exitCode: 64, message: error.description)
        case let error as LogImportError: self.init(exitCode: 65, message: error.description)
        case let error as TraceError: self.init(exitCode: 65, message: error.description)
        default: return nil
        }
    }

    init(exitCode: Int32, message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// Data were given to simulate inferred views with.
    static func sizesOfLog(_ log: String, advice: String = "") -> Self {
        let reason = "the views of \(log) were inferred: a simulation takes the sizes from the log, and no data"
        return Self(exitCode: 64, message: reason + advice)
    }

    static func cannotWrite(_ path: String, error: any Error) -> Self {
        Self(exitCode: 74, message: "cannot write \(path): \(error.reason)")
    }
}

extension Error {
    /// The system's own words, such as "No such file or directory", rather than those that Foundation wraps them in.
    var reason: String {
        let error = self as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error
        let system = ([self] + [cause].compactMap { $0 }).compactMap { ($0 as? POSIXError)?.code.rawValue }.first
        if let system { return String(cString: strerror(system)) }
        if let cause = cause as NSError?, cause.domain == NSPOSIXErrorDomain {
            return String(cString: strerror(CInt(cause.code)))
        }
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile?, .fileReadNoSuchFile?: return "No such file or directory"
        case .fileWriteNoPermission?, .fileReadNoPermission?: return "Permission denied"
        case .fileWriteOutOfSpace?: return "No space left on device"
        default: return error.localizedDescription
        }
    }
}

extension SessionLogError {
    fileprivate var exitCode: Int32 {
        [.fileUnwritable, .writerClosed].contains(code) ? 74 : 65
    }
}

/// Reads a session log; what is wrong in it is reported with the log's name.
func readingSessionLog<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as SessionLogError {
        guard let lineNumber = error.lineNumber else { throw error }
        throw CommandFailure(exitCode: error.exitCode, message: "\(name), line \(lineNumber): \(error.message)")
    }
}

/// Runs a command and turns its errors into a message on standard error and an exit code.
func exitingWithCode(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch {
        guard let failure = CommandFailure(error) else { throw error }
        Terminal.endProgress()
        Terminal.note("\(ProgramName.current): \(InputLog.named(failure.message))")
        InputLog.removeTemporaryFiles()
        throw ExitCode(failure.exitCode)
    }
    InputLog.removeTemporaryFiles()
}
