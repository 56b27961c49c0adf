// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import CacheSimulation

/// The miss ratios of policies over sizes of the cache, for people and programs.
package struct CurveReport: Sendable {
    /// The trace's path, as it was given.
    package let trace: String
    /// The contents of the trace; `nil` when the sizes were given, since it takes a pass of its own.
    private let summary: TraceSummary?
    private let curves: MissRatioCurves

    /// The sizes that are chosen when none are asked for, at most.
    private static let sizeCountMax = 12

    /// Holds policies against traces at these sizes, or at powers of two from the largest object to all objects.
    package init(
        _ trace: String,
        of traces: [any RequestTrace],
        policies: [SimulatedPolicy],
        sizes: [Int]
    ) throws {
        self.trace = trace
        if sizes.isEmpty {
            let summary = try TraceSummary(of: traces)
            self.summary = summary
            curves = try MissRatioCurves(of: traces, policies: policies, sizes: Self.sizes(for: summary))
        } else {
            summary = nil
            curves = try MissRatioCurves(of: traces, policies: policies, sizes: Array(Set(sizes)).sorted())
        }
    }

    private static func sizes(for summary: TraceSummary) -> [Int] {
        var sizes: [Int] = []
        var size = 1
        while size < summary.largestByteCount { size *= 2 }
        while size < summary.footprintByteCount {
            sizes.append(size)
            size *= 2
        }
        sizes.append(size)
        // The last, in which everything fits, is among them.
        let step = (sizes.count + sizeCountMax - 1) / sizeCountMax
        return sizes.indices.filter { (sizes.count - 1 - $0) % step == 0 }.map { sizes[$0] }
    }
}

extension CurveReport {
    /// The report as two tables: misses by bytes, which is what a quota counts, and by requests.
    package var table: String {
        """
        \(trace): \(contents)

        bytes that the cache does not have, in %
        \(table(of: \.byteMissRatio))

        requests that the cache does not have, in %
        \(table(of: \.missRatio))

        """
    }

    private var contents: String {
        let all = curves.points.first?.tally ?? CacheTally()
        let requests = "\(Figure.count(all.requestCount)) requests, \(Figure.bytes(all.byteCount))"
        guard let summary else { return requests }
        return requests + ", of \(Figure.count(summary.objectCount)) objects; a cache for all of them takes "
            + Figure.bytes(summary.footprintByteCount)
    }

    private func table(of ratio: KeyPath<CacheTally, Double>) -> String {
        let policies = curves.points.map(\.policy).uniqued
        var table = TextTable(heading: ["cache"] + policies.map(\.name))
        for size in curves.points.map(\.byteCountMax).uniqued {
            let points = curves.points.filter { $0.byteCountMax == size }
            table.add([Figure.binarySize(size)] + points.map { Figure.hundredths(100 * $0.tally[keyPath: ratio]) })
        }
        return table.rendered
    }

    /// The report as comma-separated values, one line for each policy and size, sizes in bytes.
    package var csv: String {
        let heading = "policy,cacheBytes,requests,hits,bytes,hitBytes"
        let lines = curves.points.map { point in
            let tally = point.tally
            return "\(point.policy.name),\(point.byteCountMax),\(tally.requestCount),\(tally.hitCount),"
                + "\(tally.byteCount),\(tally.hitByteCount)"
        }
        return ([heading] + lines).joined(separator: "\n") + "\n"
    }

    /// The report as JSON of schema `firemeter.curve/1`, its keys sorted.
    package func json() throws -> String { try JSONReport.text(of: CurveJSON(self)) }

    private struct CurveJSON: Encodable {
        struct Point: Encodable {
            let policy: String
            let cacheBytes: Int
            let hits: Int64
            let hitBytes: Int64
            let missRatio: Double
            let byteMissRatio: Double
        }

        let schema = "firemeter.curve/1"
        let trace: String
        let requests: Int64
        let bytes: Int64
        let objects: Int64?
        let footprintBytes: Int64?
        let points: [Point]

        init(_ report: CurveReport) {
            trace = report.trace
            let all = report.curves.points.first?.tally ?? CacheTally()
            requests = all.requestCount
            bytes = all.byteCount
            objects = report.summary?.objectCount
            footprintBytes = report.summary?.footprintByteCount
            points = report.curves.points.map { point in
                Point(
                    policy: point.policy.name,
                    cacheBytes: point.byteCountMax,
                    hits: point.tally.hitCount,
                    hitBytes: point.tally.hitByteCount,
                    missRatio: point.tally.missRatio,
                    byteMissRatio: point.tally.byteMissRatio
                )
            }
        }
    }
}

extension Array where Element: Hashable {
    /// The elements without those that came up before.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
