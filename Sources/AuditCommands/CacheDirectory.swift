// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the commands keep what they can make again: `$XDG_CACHE_HOME/firemeter`, or `~/.cache/firemeter`.
///
/// After the XDG Base Directory Specification 0.8 (2021).
enum CacheDirectory {
    static var url: URL {
        let environment = ProcessInfo.processInfo.environment
        // A relative path is to be ignored.
        let given = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        let base = given ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache")
        return base.appendingPathComponent("firemeter")
    }
}
