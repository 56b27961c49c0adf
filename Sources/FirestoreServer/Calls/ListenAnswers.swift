// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering

/// Answers of a Listen stream that go out together.
struct ListenAnswers: Sendable {
    let responses: [Proto.ListenResponse]
    /// The reads behind them, one usage for each query or collection listened to; none where nothing was read.
    let usages: [CallUsage]
}

extension ListenBatch {
    /// The billed reads, each target's filed under what the target is about.
    func usages(like usage: CallUsage) -> [CallUsage] {
        var usages: [CallUsage] = []
        var indices: [TargetLabel: Int] = [:]
        for (id, count) in billedReads.sorted(by: { $0.key < $1.key }) {
            let label = labels[id] ?? TargetLabel()
            if let index = indices[label] {
                usages[index].billed.documentReads += Int64(count)
                continue
            }
            var labelled = usage
            labelled.attribution.collection = label.collection
            labelled.attribution.queryShape = label.queryShape
            labelled.billed.documentReads = Int64(count)
            indices[label] = usages.count
            usages.append(labelled)
        }
        return usages
    }
}

extension TargetLabel {
    init(_ attribution: UsageAttribution) {
        self.init(collection: attribution.collection, queryShape: attribution.queryShape)
    }
}
