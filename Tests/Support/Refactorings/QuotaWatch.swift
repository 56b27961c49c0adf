// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The last part of the article "Thumbnails and caches": what is done when the day's quota runs short.

/// A pipeline that loads thumbnails only once 70 % of the day's downloads are used.
package func guardedPipeline(_ storage: URL, _ used: UsedQuota) throws -> ImagePipeline {
    try ImagePipeline(
        storage: storage,
        transport: URLSessionTransport(),
        configuration: .init(dataGuard: QuotaGuard(used, threshold: 0.7))
    )
}

/// Reads what is used of today's downloads, as the emulator counts it.
package func readQuota(_ console: URL, into used: UsedQuota) async throws {
    struct Quota: Decodable {
        struct Item: Decodable {
            let item: String
            let per: String?
            let percent: Double?
        }
        let items: [Item]
    }
    let (data, _) = try await URLSession.shared.data(from: console.appendingPathComponent("quota"))
    let quota = try JSONDecoder().decode(Quota.self, from: data)
    let downloads = quota.items.first { $0.item == "storage.egressBytes" && $0.per == "day" }
    if let percent = downloads?.percent { used.share = percent / 100 }
}
