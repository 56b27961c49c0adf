// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension QueryExecution {
    /// Reads runs side by side; holds no more than the next documents of each.
    mutating func merge(_ sources: [EntrySource], runs: MergedRuns, _ body: (Document) throws -> Bool) throws {
        var merged = runs
        var former = past?.members(behind: merged.lastKey) ?? []
        while true {
            for run in merged.runs.indices where merged.runs[run].heads.isEmpty {
                try fill(&merged.runs[run], from: sources[merged.runs[run].source])
            }
            guard let next = merged.takeFirst(or: &former) else {
                progress.rest = .nothing
                return
            }
            // In several runs, or a former one as well.
            guard merged.lastKey != next.key else { continue }
            merged.lastKey = next.key
            if progress.delivery.skips() { continue }
            guard try progress.delivery.deliver(document(of: next), body) else {
                merged.forgetDocuments()
                progress.rest = progress.delivery.isComplete ? .nothing : .merged(merged)
                return
            }
        }
    }

    private func document(of next: MergedRuns.Next) throws -> Document {
        switch next {
        case .former(let member): try document(at: member.path)
        case .head(let head): try head.document ?? document(inRow: head.row, at: head.key)
        }
    }

    /// Reads the next entries of a run, until some of their documents are wanted or there are no more.
    private mutating func fill(_ run: inout MergedRuns.Run, from source: EntrySource) throws {
        var heads: [MergedRuns.Head] = []
        while heads.isEmpty, !run.isRead {
            var entries = 0
            defer { progress.entriesRead += entries }
            var byteCount = 0
            var lastEntry: OrderedKey?
            let wentToEnd = try source.visit(run.rest(source.branch.direction), entriesRead: &entries) { found in
                if past?.replacedRows.contains(found.row) ?? false { return true }
                guard let candidate = try candidate(found, branch: source.branch),
                    let key = try candidate.sortKey(in: plan.orders)
                else { return true }
                byteCount += candidate.document.heldByteCount
                let isHeld = byteCount <= MergedRuns.headByteCountMax
                heads.append(MergedRuns.Head(key: key, row: found.row, document: isHeld ? candidate.document : nil))
                guard !isHeld || heads.count == MergedRuns.headCountMax else { return true }
                lastEntry = found.key
                return false
            }
            run.lastEntry = lastEntry
            if wentToEnd { run.number += 1 }
        }
        run.heads = heads.reversed()
    }
}
