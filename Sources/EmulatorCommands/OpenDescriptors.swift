// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files and sockets with which this process was started, which a command that it runs has, too.
///
/// Its own must not be among those of a command: one that stays behind would hold the ports.
struct OpenDescriptors {
    private let inherited: Set<Int32>

    /// Takes those that are open now.
    init() { inherited = Self.all() }

    /// Has commands that are started from now on have no other descriptor that is open now.
    func hideOthers() {
        for descriptor in Self.all().subtracting(inherited) {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }

    private static func all() -> Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        // That of the directory itself is closed by now.
        return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 })
    }
}
