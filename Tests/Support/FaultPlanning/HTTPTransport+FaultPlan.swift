// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

extension HTTPTransport {
    /// Plans that a download fails, by the fault API of Google's testbench, which the emulator has too.
    ///
    /// Returns the id that the download's `x-retry-test-id` is to have.
    package func planFault(_ fault: String, at storage: URL) async throws -> String {
        let body = #"{"instructions":{"storage.objects.get":["\#(fault)"]}}"#
        let request = TransportRequest(
            method: "POST",
            url: storage.appendingPathComponent("retry_test"),
            headers: ["Content-Type": "application/json"],
            body: Data(body.utf8)
        )
        return try JSONDecoder().decode(FaultPlan.self, from: await send(request).body.collected()).id
    }
}

/// The answer to a plan.
private struct FaultPlan: Decodable {
    let id: String
}
