// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOConcurrencyHelpers
import ObjectStore
import StorageServer
import Testing
import Wire

@Suite struct `Projects that Storage is asked for` {
    @Test(arguments: [
        ("/v0/b/other.appspot.com/o/a.txt", "other"), ("/b/other.firebasestorage.app/o", "other"),
        ("/other.appspot.com/a.txt", "other"), ("/storage/v1/b?project=other", "other"),
        ("/storage/v1/b?project=demo", nil), ("/storage/v1/b?project=_", nil), ("/storage/v1/b?project=", nil),
        ("/v0/b/demo.appspot.com/o/a.txt", nil), ("/v0/b/demo.firebasestorage.app/o", nil), ("/v0/b/images/o", nil),
        ("/v0/b/staging.demo.appspot.com/o", nil), ("/v0/b/appspot.com/o", nil), ("/v0/b/.appspot.com/o", nil),
    ])
    func `are those of default buckets, and those that are named`(target: String, project: String?) async throws {
        let lines = NIOLockedValueBox<[String]>([])
        let watch = ProjectWatch(project: "demo", advice: "leave --project out") { line in
            lines.withLockedValue { $0.append(line) }
        }
        let fixture = try StorageFixture(projects: watch)
        _ = try await fixture.send(.get, target)
        let reported = lines.withLockedValue(\.self)
        #expect(reported.count == (project == nil ? 0 : 1))
        if let project { #expect(reported.first?.contains("Storage was asked for the project \(project),") == true) }
    }
}
