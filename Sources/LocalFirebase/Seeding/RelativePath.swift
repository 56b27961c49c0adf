// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Paths as one file names another.
enum RelativePath {
    /// The path to `target` as seen from the directory of `file`; `.` for that directory itself.
    ///
    /// Both are taken from the present directory when they do not begin with a slash; links are not followed.
    static func from(_ file: String, to target: String) -> String {
        let base = URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent().pathComponents
        let goal = URL(fileURLWithPath: target).standardizedFileURL.pathComponents
        let shared = zip(base, goal).prefix { $0 == $1 }.count
        let climb = Array(repeating: "..", count: base.count - shared)
        let steps = climb + goal.dropFirst(shared)
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }
}
