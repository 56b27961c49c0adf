// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import Wire

/// Firebase's own user interface, whose files firebase-tools has put on the developer's disk, and the addresses it asks for.
///
/// Source: firebase-tools 15.28.1, `src/emulator/ui.ts`.
package struct SuiteInterface: Sendable {
    /// The largest file that is served; the largest of version 1.15.0 has 2 MB.
    private static let fileByteCountMax = 32 << 20

    /// The parameter of `GET /` by which it is shown, in the place of our page.
    static let parameter = "ui"
    static let parameterValue = "firebase"
    /// Where it is shown.
    static let path = "/?\(parameter)=\(parameterValue)"

    private let project: String
    private let services: @Sendable () -> [ListeningService]
    private let directory: String?

    /// Creates an interface.
    ///
    /// - Parameters:
    ///   - project: The id of the project that it shows.
    ///   - services: Where the services listen.
    ///   - directory: The directory of its files; `nil` where they are not to be shown.
    package init(project: String, services: @escaping @Sendable () -> [ListeningService], directory: String?) {
        (self.project, self.services) = (project, services)
        self.directory = directory.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    }

    /// Finds the newest version on the disk.
    ///
    /// - Parameter environment: Names the home directory, or with `FIREBASE_EMULATORS_PATH` the place itself.
    /// - Returns: The directory of its files; `nil` where there is none.
    package static func directory(in environment: [String: String]) -> String? {
        let cache = environment["HOME"].map { "\($0)/.cache/firebase/emulators" }
        guard let parent = environment["FIREBASE_EMULATORS_PATH"] ?? cache,
            let names = try? FileManager.default.contentsOfDirectory(atPath: parent)
        else { return nil }
        let versions = names.filter { $0.hasPrefix("ui-v") }.sorted {
            $0.compare($1, options: .numeric) == .orderedDescending
        }
        return versions.map { "\(parent)/\($0)/client" }.first {
            FileManager.default.fileExists(atPath: "\($0)/index.html")
        }
    }

    /// Whether its files are there.
    var isOnDisk: Bool { directory != nil }

    /// The answer to `GET /api/config`.
    var configuration: JSONText {
        .object(
            [("projectId", .string(project)), ("experiments", .array([]))] + ListeningService.map(services())
        )
    }

    /// Returns a file, or the page itself for any other path of it; `nil` where they are not shown.
    func file(at path: String) async -> Response? {
        guard let directory else { return nil }
        return try? await blockingWork {
            let found = Self.contents(of: path, in: directory)
            guard let (name, bytes) = found ?? Self.contents(of: "/index.html", in: directory) else { return nil }
            return Response(
                status: .ok,
                headers: [.contentType: Self.contentType(of: name), .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            )
        }
    }

    private static func contents(of path: String, in directory: String) -> (name: String, bytes: Data)? {
        guard !path.utf8.contains(0) else { return nil }
        let url = URL(fileURLWithPath: directory + path).standardizedFileURL.resolvingSymlinksInPath()
        let root = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
        guard url.path.hasPrefix(root + "/"),
            let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]),
            values.isRegularFile == true, values.fileSize ?? 0 <= fileByteCountMax,
            let bytes = try? Data(contentsOf: url)
        else { return nil }
        return (url.lastPathComponent, bytes)
    }

    private static func contentType(of name: String) -> String {
        switch (name as NSString).pathExtension {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json", "map": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
