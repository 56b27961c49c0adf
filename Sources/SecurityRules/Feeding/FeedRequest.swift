// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A request that was judged, of which messages are made when they are shown.
struct FeedRequest: Sendable {
    enum Judgement: Sendable {
        /// Quick judgements have allowed its parts; to be shown, they are judged again in phases.
        case allowed([JudgedPart])
        case judged([JudgedPass])
    }

    let judgement: Judgement
    let rules: CompiledRules
    let project: String
    /// The end of the judgement.
    let time: Timestamp
    let ids: MessageIDs

    /// An estimate of the memory that it holds.
    var byteCount: Int {
        switch judgement {
        case .allowed(let parts): parts.reduce(rules.source.utf8.count) { $0 + $1.byteCount }
        case .judged(let passes): passes.reduce(rules.source.utf8.count) { $0 + $1.byteCount }
        }
    }

    /// Its messages, the oldest first: one for each pass.
    var messages: [FeedMessage] {
        var conditions: [JudgedPass.Condition] = []
        return passes.enumerated().map { number, pass in
            conditions += pass.conditions
            return FeedMessage(of: pass, number: number, in: self, conditions: conditions)
        }
    }

    private var passes: [JudgedPass] {
        switch judgement {
        case .judged(let passes): return passes
        case .allowed(let parts):
            var passes: [JudgedPass] = []
            let observer = PassObserver(needsValues: false) { passes.append(JudgedPass($0)) }
            rules.repeatPasses(over: parts, observedBy: observer)
            return passes
        }
    }
}
