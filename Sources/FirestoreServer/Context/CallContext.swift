// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
package import Metering
import NIOConcurrencyHelpers
package import Wire

/// One call: its caller, the judge that may refuse it, and its usage so far.
///
/// A face makes one for each call; every step takes it:
///
///     route ─▶ attribute ─▶ quota ─▶ judge ─▶ handle ─▶ settle the usage
///
/// The usage grows as far as the call gets, also when it throws: a get of a missing document is billed a read.
package final class CallContext: Sendable {
    /// The user or administrator that makes the call.
    package let caller: Caller
    /// `nil` for an administrator, whom no judge refuses.
    let judge: (any FirestoreJudge)?
    /// Called when writes of later calls are sure to be stored later than those of this one.
    let writesQueued: @Sendable () -> Void
    /// Notes the project of the call; `nil` where that is not reported.
    let projects: ProjectWatch?
    private let collected: NIOLockedValueBox<CallUsage>

    /// Creates the context of a call of which nothing is known but its operation and its caller.
    init(
        _ usage: consuming CallUsage,
        caller: Caller,
        judge: any FirestoreJudge,
        projects: ProjectWatch? = nil,
        writesQueued: @escaping @Sendable () -> Void = {}
    ) {
        self.caller = caller
        self.judge = caller.isAdmin ? nil : judge
        self.projects = projects
        self.writesQueued = writesQueued
        usage.attribution.user = caller.userID
        collected = NIOLockedValueBox(usage)
    }

    /// The call, judged by another judge; its usage is apart.
    func judged(by judge: any FirestoreJudge) -> CallContext { CallContext(usage, caller: caller, judge: judge) }

    /// The usage collected so far, less bills taken out.
    package var usage: CallUsage { collected.withLockedValue(\.self) }

    /// Changes what the call is attributed to.
    func attribute<Result>(_ change: (inout UsageAttribution) -> Result) -> Result {
        collected.withLockedValue { change(&$0.attribution) }
    }

    /// Notes what was read, where a session is recorded.
    func note(_ change: (inout ReadDocuments.Contents) -> Void) {
        guard let reads = collected.withLockedValue(\.reads) else { return }
        reads.change(change)
    }

    /// Adds document reads to the bill.
    func bill(reads count: Int) {
        collected.withLockedValue { $0.billed.documentReads += Int64(count) }
    }

    /// Notes the rule that decided, and adds reads of documents that Security Rules looked at to the bill.
    func note(_ judgement: Judgement) {
        guard judgement != Judgement() else { return }
        collected.withLockedValue { usage in
            if let rule = judgement.rule { usage.rule = rule }
            guard judgement.ruleReads > 0 else { return }
            usage.billed = usage.billed + BilledUsage(ruleReads: Int64(judgement.ruleReads))
        }
    }

    /// Adds a commit's writes and deletes to the bill.
    func bill(_ result: CommitResult) {
        collected.withLockedValue {
            $0.billed.documentWrites += Int64(result.billedWrites)
            $0.billed.documentDeletes += Int64(result.billedDeletes)
        }
    }

    /// Returns the bill since it was last taken; the next one starts at zero.
    func takeBill() -> BilledUsage {
        collected.withLockedValue { usage in
            defer { usage.billed = .zero }
            return usage.billed
        }
    }

    /// Returns the reads of Security Rules since the bill was last taken, with which the next one starts at zero.
    func takeRuleReads() -> Int { Int(takeBill().ruleReads) }

    /// Returns the usage as ``takeBill()`` does, with the attribution.
    func takeUsage() -> CallUsage {
        collected.withLockedValue { usage in
            defer { usage.billed = .zero }
            return usage
        }
    }
}

extension CallContext {
    /// Files the usage of a call with one request.
    func settle(with exchange: Exchange?) {
        let usage = takeUsage()
        exchange?.note(usage)
        exchange?.attribute(to: usage.attribution, billing: .firestore(usage.billed))
    }

    /// Adds what was billed after the call was settled.
    func settleRest(with exchange: Exchange?) {
        let billed = takeBill()
        if billed != .zero { exchange?.bill(billed) }
    }

    /// Makes a record of a long call for what it has cost since the last one.
    func flush(to exchange: Exchange?) {
        let usage = takeUsage()
        if let rule = usage.rule { exchange?.note(rule: rule) }
        exchange?.flush(billed: usage.billed, about: usage.attribution)
    }
}

extension Exchange {
    /// Notes the documents and the rule of a call that this request is.
    func note(_ usage: CallUsage) {
        if let reads = usage.reads { describe(by: reads) }
        if let rule = usage.rule { note(rule: rule) }
    }

    /// Makes a record for each of the usages, or, without any, one that is about the same as the last.
    ///
    /// The bytes are in the first record: those of several targets go out together.
    func flush(_ usages: [CallUsage]) {
        if usages.isEmpty { flush() }
        for usage in usages { flush(billed: usage.billed, about: usage.attribution, detail: usage.reads) }
    }
}

/// The subject of a call and its bill.
package struct CallUsage: Sendable, Equatable {
    /// The database, collection and query of the call, and its user.
    package var attribution: UsageAttribution
    /// The documents read, written and deleted so far.
    package var billed = BilledUsage.zero
    /// The documents that were read; `nil` where no session is recorded.
    package var reads: ReadDocuments?
    /// The rule that decided about the call, or why none allowed it; `nil` without rules.
    package var rule: String?

    /// Starts with nothing billed.
    ///
    /// - Parameter call: The operation's name in usage records, such as `runQuery`.
    package init(call: String) {
        attribution = UsageAttribution(service: .firestore, operation: "firestore.\(call)")
    }
}
