// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOConcurrencyHelpers

/// A command that runs beside the emulator, with its terminal and in its group of processes.
struct ScriptProcess: Sendable {
    /// The end of a command.
    enum End: Equatable {
        case exited(Int32)
        case killed(signal: Int32)

        /// The code with which a shell would report it.
        var exitCode: Int32 {
            switch self {
            case .exited(let code): code
            case .killed(let signal): 128 + signal
            }
        }
    }

    /// A command that could not be started.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// The code with which shells answer for such commands.
        let exitCode: Int32
    }

    private let id: pid_t
    /// Whether the process is gone, and its number perhaps another's.
    private let isOver = NIOLockedValueBox(false)

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - arguments: The command and its arguments; one alone is a line for the shell.
    ///   - environment: Its environment.
    /// - Throws: ``Failure``.
    init(_ arguments: [String], environment: [String: String]) throws(Failure) {
        let words = arguments.count == 1 ? ["/bin/sh", "-c"] + arguments : arguments
        waitForChildren()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The emulator ignores signals that it hears of in another way; a child would ignore them, too.
        var all = sigset_t()
        sigfillset(&all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let path = words[0]
        let number = Self.withStrings(words) { words in
            Self.withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawnp(&process, path, nil, &attributes, words, environment)
            }
        }
        guard number == 0 else {
            let reason = String(cString: strerror(number))
            throw Failure(description: "cannot run \(path): \(reason)", exitCode: number == EACCES ? 126 : 127)
        }
        id = process
    }

    private static func withStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    /// Waits until the command has ended; a cancelled task has it end first.
    ///
    /// A key of the terminal reaches the command, too: before it is asked again to end, it may do so in its own way.
    ///
    /// - Parameter grace: How long it may take to end before it is killed.
    /// - Returns: How it ended.
    func end(grace: Duration) async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: waitForEnd()) }
            }
        } onCancel: {
            let patience = Self.hearsKeys ? grace / 2 : .zero
            Task.detached {
                try? await Task.sleep(for: patience)
                signal(SIGTERM)
                try? await Task.sleep(for: grace - patience)
                signal(SIGKILL)
            }
        }
    }

    /// Whether the terminal's keys, such as Ctrl-C, send signals to this process and to its commands.
    private static var hearsKeys: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    /// Ends the command in a way that it cannot refuse.
    func kill() { signal(SIGKILL) }

    private func signal(_ number: Int32) {
        isOver.withLockedValue { if !$0 { sendSignal(id, number) } }
    }

    private func waitForEnd() -> End {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return isOver.withLockedValue { isOver in
            var status: Int32 = 0
            var found: pid_t
            repeat { found = waitpid(id, &status, 0) } while found < 0 && errno == EINTR
            isOver = true
            // Another has taken the end: nothing is known of it, and so no success is claimed.
            guard found == id else { return .exited(1) }
            let signal = status & 0x7F
            return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
        }
    }
}

/// In a method of the same name the function cannot be called.
private func sendSignal(_ process: pid_t, _ number: Int32) { _ = kill(process, number) }

/// Has the ends of commands kept until they are asked for: a parent that ignores them passes that on.
private func waitForChildren() { _ = signal(SIGCHLD, SIG_DFL) }
