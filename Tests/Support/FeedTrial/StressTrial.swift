// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SeededRandom
import SessionLog

/// Uploads images, loads them by many workers at once, cancels some, lets some fail, and looks at every one it is shown.
struct StressTrial {
    static let byteCounts = 500...60_000
    private static let bucket = "demo-trial.appspot.com"

    let storage: URL
    let directory: URL
    let imageCount: Int
    let workerCount: Int
    let viewsPerImage: Int
    let seed: UInt64

    func run() async throws -> StressSummary {
        let network = URLSessionTransport(connectionCountMax: workerCount)
        let references = try await upload(over: network)
        let transport = FaultyTransport(network, storage: storage, seed: seed)
        let pipeline = try ImagePipeline(
            storage: storage,
            transport: CountingTransport(transport),
            configuration: .init(
                memory: .init(byteCountMax: 4 << 20, fullByteCountMax: 4 << 20, policy: .s3FIFO),
                disk: .init(directory: directory, byteCountMax: 4 << 30),
                concurrentLoadCountMax: workerCount
            )
        )
        let counts = Locked(StressSummary())
        let viewCount = imageCount * viewsPerImage / workerCount
        for part in 0..<4 {
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<workerCount {
                    group.addTask {
                        let seed = seed &+ UInt64(part * 1_000 + worker)
                        await look(viewCount / 4, of: references, through: pipeline, seed: seed, counts)
                    }
                }
            }
            counts.withLock { $0.residentByteCounts.append(Self.residentByteCount()) }
        }
        // Whatever was cancelled last is still putting away what it has.
        while await pipeline.loadCount > 0 { await Task.yield() }
        var summary = counts.withLock { $0 }
        summary.add(await pipeline.statistics, pipeline.ledger.totals)
        summary.faults = transport.faultCount
        return summary
    }

    private func upload(over transport: any HTTPTransport) async throws -> [ImageReference] {
        let uploader = ImageUploader(storage: storage, transport: transport, pipeline: nil)
        return try await withThrowingTaskGroup(of: (Int, ImageReference).self) { group in
            var references = [ImageReference?](repeating: nil, count: imageCount)
            var next = 0
            func uploadNext() {
                guard next < imageCount else { return }
                let number = next
                next += 1
                group.addTask {
                    let data = TrialImage(number, byteCounts: Self.byteCounts).data
                    let reference = try await uploader.upload(
                        data,
                        contentType: "application/octet-stream",
                        bucket: Self.bucket,
                        owner: "o",
                        feed: "\(number)",
                        index: number % 2
                    )
                    return (number, reference)
                }
            }
            for _ in 0..<16 { uploadNext() }
            for try await (number, reference) in group {
                references[number] = reference
                uploadNext()
            }
            return references.compactMap(\.self)
        }
    }

    private func look(
        _ viewCount: Int,
        of references: [ImageReference],
        through pipeline: ImagePipeline,
        seed: UInt64,
        _ counts: Locked<StressSummary>
    ) async {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<viewCount {
            let number = generator.integer(in: 0...references.count - 1)
            if generator.integer(in: 0...4) == 0 {
                await lookAndCancel(references[number], through: pipeline, after: generator.integer(in: 0...2))
                counts.withLock { $0.cancelled += 1 }
                continue
            }
            do {
                let data = try await pipeline.image(for: references[number])
                let isRight = data == TrialImage(number, byteCounts: Self.byteCounts).data
                counts.withLock { if isRight { $0.right += 1 } else { $0.wrong += 1 } }
            } catch is FeedError {
                counts.withLock { $0.typedErrors += 1 }
            } catch {
                counts.withLock { $0.otherErrors += 1 }
            }
        }
    }

    /// Looks away at once, when the first bytes have come, or when the next have.
    private func lookAndCancel(
        _ reference: ImageReference,
        through pipeline: ImagePipeline,
        after eventCount: Int
    ) async {
        var count = 0
        let events = await pipeline.events(for: reference)
        guard eventCount > 0 else { return }
        do {
            for try await _ in events {
                count += 1
                if count >= eventCount { return }
            }
        } catch {}
    }

    private static func residentByteCount() -> Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}
