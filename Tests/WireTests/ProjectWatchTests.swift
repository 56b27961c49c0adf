// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import NIOConcurrencyHelpers
import Testing
import Wire

@Suite struct `Calls for other projects` {
    private let lines = NIOLockedValueBox<[String]>([])
    private let watch: ProjectWatch

    init() {
        watch = ProjectWatch(project: "demo", advice: "leave --project out") { [lines] line in
            lines.withLockedValue { $0.append(line) }
        }
    }

    private var reported: [String] { lines.withLockedValue(\.self) }

    @Test func `for the project that is served are not reported`() {
        for service in UsageAttribution.Service.allCases { watch.note("demo", of: service) }
        #expect(reported.isEmpty)
    }

    @Test func `are reported once for each project, with the service that was asked first`() {
        for _ in 0..<2 {
            watch.note("one", of: .firestore)
            watch.note("one", of: .auth)
            watch.note("two", of: .storage)
        }
        #expect(reported.count == 2)
        #expect(reported[0].hasPrefix("Firestore was asked for the project one, but demo is served here."))
        #expect(reported[0].hasSuffix("to use several, leave --project out."))
        #expect(reported[1].hasPrefix("Storage was asked for the project two, but demo is served here."))
    }

    @Test func `are reported for a bounded number of projects`() {
        let max = ProjectWatch.reportedCountMax
        for number in 0..<max * 2 { watch.note("other-\(number)", of: .firestore) }
        #expect(reported.count == max)
        #expect(reported.filter { $0.contains("Further projects are not reported.") } == reported.suffix(1))
    }

    @Test(arguments: [
        ("a\nb", "a\u{FFFD}b"), ("\u{1B}[2J", "\u{FFFD}[2J"), ("a\u{202E}b", "a\u{FFFD}b"),
        ("a\r\nb", "a\u{FFFD}\u{FFFD}b"),
        (String(repeating: "x", count: 5_000), String(repeating: "x", count: ProjectWatch.nameLengthMax)),
    ])
    func `have one line each, of a bounded length`(asked: String, shown: String) {
        watch.note(asked, of: .auth)
        #expect(reported.first?.hasPrefix("Authentication was asked for the project \(shown), but") == true)
        #expect(reported.first?.utf8.contains(UInt8(ascii: "\n")) == false)
    }
}
