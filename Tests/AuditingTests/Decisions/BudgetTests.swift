// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TinyFeed

@testable import Auditing

struct BudgetTests {
    private let directory: TemporaryDirectory

    init() throws { directory = TemporaryDirectory() }

    private func budget(_ thresholds: String) throws -> Budget {
        let json = "{\"schema\": \"firemeter.budget/1\",\n\"thresholds\": {\n\(thresholds)}}"
        try directory.write(json.utf8, to: "budget.json")
        return try Budget(directory.file("budget.json"))
    }

    /// 948.8 MB, 546.9 MB and 157.4 MB.
    private func verdicts(_ thresholds: String, former: FigureSet? = nil) throws -> [Budget.Verdict] {
        try budget(thresholds).verdicts(on: SampleReport.usual.figures, former: former)
    }

    @Test func `a bound without braces concerns every strategy but the baseline`() throws {
        let verdicts = try verdicts(#""bytes": ["<500MB"]"#)
        #expect(verdicts.map(\.isKept) == [false, true])
        #expect(verdicts[0].explanation == "bytes of all-images+memory: 546.9 MB, not <500MB")
        #expect(verdicts[1].explanation == "bytes of thumbnails+memory+disk: 157.4 MB, within <500MB")
        #expect(verdicts.map(\.line) == [3, 3])
        let alone = SampleReport.report([SampleReport.outcome(0, requests: 1, body: 1)])
        #expect(try budget(#""bytes": ["<500MB"]"#).verdicts(on: alone.figures, former: nil).map(\.isKept) == [true])
    }

    @Test(
        arguments: [
            (#""byte": ["<5"]"#, "line 3: 'byte': the report has no such figure; did you mean 'bytes'?"),
            (#""bytes{strategy:thumbnail}": ["<5MB"]"#, "no such strategy; did you mean 'thumbnails'?"),
            (#""bytes{strategy:none}": ["<5MB"]"#, "no such strategy; it has thumbnails"),
            (#""requests": ["<1x former"]"#, "there is no former report; name one with --compare-to"),
        ]
    )
    func `what no report can have is refused before one is made`(_ thresholds: String, _ message: String) throws {
        let budget = try budget(thresholds)
        let error = #expect(throws: AuditError.self) { try budget.check(strategies: ["thumbnails"], hasFormer: false) }
        #expect(error?.exitCode == 64)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `a bound in terms of the baseline does not concern the baseline`() throws {
        let verdicts = try verdicts(#""bytes": ["<0.5x baseline"]"#)
        #expect(verdicts.map(\.strategy) == ["all-images+memory", "thumbnails+memory+disk"])
        #expect(verdicts.map(\.isKept) == [false, true])
        #expect(verdicts[0].explanation == "bytes of all-images+memory: 546.9 MB, not <0.5x baseline (474.4 MB)")
    }

    @Test func `a bound that could bound nothing is refused`() throws {
        let alone = SampleReport.report([SampleReport.outcome(0, requests: 1, body: 1)])
        let error = #expect(throws: AuditError.self) {
            try budget(#""bytes": ["<0.5x baseline"]"#).verdicts(on: alone.figures, former: nil)
        }
        #expect(error?.description.contains("no strategy beside the baseline") == true)
    }

    @Test func `a figure however large is told`() throws {
        let verdicts = try verdicts(#""bytes": ["<99999999999999999999x baseline"]"#)
        #expect(verdicts.map(\.isKept) == [true, true])
    }

    @Test func `a bound may name its strategy, and stand on any line`() throws {
        let verdicts = try verdicts("\n\"doc_reads{strategy:all-images}\": [\n\"<=816\",\n\"<816\"]")
        #expect(verdicts.map(\.isKept) == [true, false])
        #expect(verdicts.map(\.line) == [5, 6])
    }

    @Test func `a bound in terms of a former report needs it, and its strategy in it`() throws {
        let bound = #""requests": ["<=1x former"]"#
        #expect(try verdicts(bound, former: SampleReport.usual.figures).map(\.isKept) == [true, true])
        let fewer = SampleReport.report([SampleReport.outcome(0, requests: 1, body: 1)])
        for (former, problem) in [(nil, "--compare-to"), (fewer.figures, "all-images+memory")] {
            let error = #expect(throws: AuditError.self) { try verdicts(bound, former: former) }
            #expect(error?.exitCode == 64)
            #expect(error?.description.contains("line 3: 'requests'") == true)
            #expect(error?.description.contains(problem) == true)
        }
    }

    @Test(
        arguments: [
            (#""byte": ["<5"]"#, "line 3: 'byte': the report has no such figure; it has billed.classA, "),
            (#""bytes{strategy:none}": ["<5MB"]"#, "no such strategy; it has all-images, all-images+memory, "),
        ]
    )
    func `a figure that the report lacks is no bound that is kept`(_ thresholds: String, _ message: String) {
        let error = #expect(throws: AuditError.self) { try verdicts(thresholds) }
        #expect(error?.exitCode == 64)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            ("", "line 2: 'thresholds' must have at least one"),
            (#""bytes": "<5MB""#, "line 3: expected a list of bounds"),
            (#""bytes": []"#, "line 3: expected a list of bounds"),
            ("\n\"bytes\": [\"<1MB\",\n\"5MB\"]", "line 5: expected a bound of 'bytes' such as \"<50MB\""),
            (#""bytes{color:red}": ["<5MB"]"#, "line 3: 'bytes{color:red}' is no figure"),
        ]
    )
    func `what is wrong in a budget is told with its line`(_ thresholds: String, _ message: String) {
        let error = #expect(throws: AuditError.self) { try budget(thresholds) }
        #expect(error?.exitCode == 64)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `a budget that is not there cannot be read`() {
        let error = #expect(throws: AuditError.self) { try Budget("/nowhere/budget.json") }
        #expect(error?.exitCode == 74)
    }
}
