// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SeededRandom

/// Loads images into a cache directory until it is killed, and looks at every one that it is shown.
///
/// Nothing that the network brings has a checksum here: what is wrong on disk would be shown.
struct CrashTrial {
    private let pipeline: ImagePipeline
    private let transport: CrashTransport
    private var generator: SplitMix64

    static let imageCount = 400
    static let byteCounts = 1...150_000

    init(directory: String, seed: UInt64) throws {
        transport = CrashTransport(seed: seed)
        generator = SplitMix64(seed: seed)
        pipeline = try ImagePipeline(
            storage: URL(string: "http://trial.test") ?? URL(fileURLWithPath: "/"),
            transport: transport,
            configuration: .init(
                memory: nil,
                disk: .init(directory: URL(fileURLWithPath: directory), byteCountMax: 10 << 20, policy: .s3FIFO),
                retries: .never
            )
        )
    }

    /// Shows images until it is killed, or this many.
    mutating func run(viewCount: Int) async {
        for view in 1...viewCount {
            let numbers = (0..<4).map { _ in generator.integer(in: 0...Self.imageCount - 1) }
            let references = numbers.map {
                ImageReference(bucket: "b", owner: "o", feed: "\($0)", index: 1, generation: 1)
            }
            let isCancelled = generator.integer(in: 0...9) == 0
            for await delivery in await pipeline.images(for: references) {
                guard let data = try? delivery.result.get() else { continue }
                let image = TrialImage(numbers[delivery.index], byteCounts: Self.byteCounts)
                guard data == image.data else { return say("WRONG image \(image.number)") }
                if isCancelled { break }
            }
            if view == 1 { say("begun") }
        }
        let statistics = await pipeline.statistics
        say("shown \(statistics.requests) disk \(statistics.diskHits) network \(statistics.networkLoads)")
    }

    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
