// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering

extension Strategy {
    /// The text that describes the strategy, without what goes without saying.
    package var text: String {
        var parts = [fetching]
        if let memory { parts.append("memory" + memory.settings(Self.memoryByteCountMaxDefault)) }
        if let disk { parts.append("disk" + disk.settings(Self.diskByteCountMaxDefault)) }
        if let prefetchByteCountMax { parts.append("prefetch:\(ByteSize(Int64(prefetchByteCountMax)))") }
        switch listReading {
        case .query: break
        case .listen: parts.append("listen")
        case .persistence(let age): parts.append("persistence" + (age.map { ":" + $0.text } ?? ""))
        }
        if let pageSize { parts.append("page:\(pageSize)") }
        if concurrentLoadCountMax != ImagePipeline.concurrentLoadCountMaxDefault {
            parts.append("concurrency:\(concurrentLoadCountMax)")
        }
        if !joinsRequests { parts.append("no-joining") }
        if httpVersion == .http2 { parts.append("http2") }
        if looksUpURLs { parts.append("url-lookups") }
        if revalidates { parts.append("revalidate") }
        if waitsForImages { parts.append("layout-last") }
        return parts.joined(separator: "+")
    }

    /// The images to fetch.
    private var fetching: String {
        guard mode == .thumbnails else { return "all-images" }
        switch thumbnails {
        case .whole: return "thumbnails"
        case .resized(let variant): return "thumbnails:\(variant.name)"
        case .prefix(Self.prefixByteCountDefault): return "progressive"
        case .prefix(let byteCount): return "progressive:\(ByteSize(Int64(byteCount)))"
        }
    }

    /// The strategy whatever it is called, to be compared with others.
    var nameless: Strategy {
        var strategy = self
        strategy.name = ""
        return strategy
    }
}

extension Strategy.Cache {
    fileprivate func settings(_ byteCountMaxDefault: Int) -> String {
        var settings: [String] = []
        if byteCountMax != byteCountMaxDefault { settings.append("\(ByteSize(Int64(byteCountMax)))") }
        if policy != .lru { settings.append(policy.name) }
        if let ageMax { settings.append(ageMax.text) }
        return settings.map { ":" + $0 }.joined()
    }
}

extension Duration {
    /// As strategies have it: `7d`, `12h`, `30min`.
    fileprivate var text: String {
        let minutes = components.seconds / 60
        if minutes % 1_440 == 0 { return "\(minutes / 1_440)d" }
        return minutes % 60 == 0 ? "\(minutes / 60)h" : "\(minutes)min"
    }
}
