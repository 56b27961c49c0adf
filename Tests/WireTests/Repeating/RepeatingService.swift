// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOConcurrencyHelpers
import NIOCore
import Wire

/// Answers `/N` with N letters, which are others after each change, and lets its answers be given again until then.
final class RepeatingService: WireService {
    let meteredService = UsageAttribution.Service.storage
    let repeatsAnswers = true
    let bodyByteCountMax: Int64 = 1 << 20
    private let version = NIOLockedValueBox<UInt8>(UInt8(ascii: "a"))
    private let asked = NIOLockedValueBox<[String]>([])

    /// The paths of the requests that have come this far.
    var askedPaths: [String] { asked.withLockedValue { $0 } }
    /// How many requests have come this far.
    var askedCount: Int { askedPaths.count }

    func change() { version.withLockedValue { $0 += 1 } }

    func respond(to request: Request, exchange: Exchange) async -> Response {
        asked.withLockedValue { $0.append(request.uri.path) }
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        attribution.object = request.uri.path
        exchange.attribute(to: attribution, billing: .storage(.classB))
        let letter = version.withLockedValue { $0 }
        exchange.mayRepeat { [version] in version.withLockedValue { $0 } == letter }
        let count = Int(request.uri.path.dropFirst()) ?? 0
        return Response(
            status: count == 0 ? .notFound : .ok,
            headers: [.expires: exchange.date, .lastModified: "Sat, 21 Nov 2026 00:51:46 GMT"],
            body: ResponseBody(byteBuffer: ByteBuffer(repeating: letter, count: count))
        )
    }

    func refuseBody(exchange: Exchange) -> Response { Response(status: .contentTooLarge) }
}
