// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRPCCore
import GRPCTransport
import Metering
import NIOConcurrencyHelpers
import NIOPosix
import Wire

/// The methods that the tests call, answered without tasks: on threads, and under other names at once.
enum TestDirectMethods {
    /// The prefixes of method names, by their service.
    static let kinds = ["Direct", "Light"]

    static func all(_ calls: TestCalls) -> [DirectMethod] {
        methods("Direct", DirectMethod.heavy, calls) + methods("Light", { _ in .light }, calls)
            + [
                // Checks whether it runs on an event loop.
                method("DirectPlace", smallIsLight) { _, _ in
                    let isOnLoop = MultiThreadedEventLoopGroup.currentEventLoop != nil
                    return .message(try TextCoding().serialize(isOnLoop ? "loop" : "thread"))
                }
            ] + ordered()
    }

    /// Calls that begin in their order.
    private static func ordered() -> [DirectMethod] {
        let count = NIOLockedValueBox(0)
        let second = DispatchSemaphore(value: 0)
        return [
            // Returns how many came before it.
            method("OrderedNumber", smallIsLight, isOrdered: true) { _, _ in
                let number = count.withLockedValue { count in
                    defer { count += 1 }
                    return count
                }
                return .message(try TextCoding().serialize("\(number)"))
            },
            // The first lets the second begin, and waits for it.
            method("OrderedPair", isOrdered: true) { request, call in
                if try TextCoding().deserialize(request) as String == "first" {
                    call.passTurn()
                    second.wait()
                } else {
                    second.signal()
                }
                return .message(request)
            },
        ]
    }

    private static func methods(
        _ kind: String,
        _ weight: @escaping DirectMethod.Estimate,
        _ calls: TestCalls
    ) -> [DirectMethod] {
        [
            method("\(kind)Echo", weight) { request, call in
                call.exchange.attribute(
                    to: UsageAttribution(service: .firestore, operation: "firestore.direct"),
                    billing: .firestore(BilledUsage(documentReads: 1))
                )
                return .message(request)
            },
            method("\(kind)Fail", weight) { _, _ in
                throw RPCError(code: .aborted, message: "too much contention", metadata: ["x-why": "contention"])
            },
            method("\(kind)Later", weight) { request, _ in
                .later {
                    await Task.yield()
                    guard request.count > 0 else { throw RPCError(code: .notFound, message: "nothing there") }
                    return request
                }
            },
            method("\(kind)Wait", weight) { _, _ in
                calls.noteWrite()
                return .later {
                    defer { calls.noteCancellation() }
                    try await Task.sleep(for: .seconds(3_600))
                    throw RPCError(code: .internalError, message: "waited in vain")
                }
            },
            method("\(kind)Count", weight) { request, _ in
                .messages(numbers(upTo: try TextCoding().deserialize(request)))
            },
            method("\(kind)Flood", weight) { _, _ in
                let text = String(repeating: "x", count: 64 << 10)
                var count = 0
                return .messages {
                    guard count < 1_000 else { return nil }
                    count += 1
                    calls.noteWrite()
                    return try TextCoding().serialize(text)
                }
            },
        ]
    }

    private static func method(
        _ name: String,
        _ weight: @escaping DirectMethod.Estimate = DirectMethod.heavy,
        isOrdered: Bool = false,
        _ handler: @escaping DirectMethod.Handler
    ) -> DirectMethod {
        let descriptor = MethodDescriptor(fullyQualifiedService: "test.Test", method: name)
        return DirectMethod(descriptor, weight: weight, isOrdered: isOrdered, handler: handler)
    }

    private static func smallIsLight(request: GRPCBytes) -> DirectMethod.Weight {
        request.count < 100 ? .light : .heavy
    }

    /// As many numbers as the text states; a negative count fails after that many.
    private static func numbers(upTo text: String) -> () throws -> GRPCBytes? {
        let count = Int(text) ?? 0
        var number = 0
        return {
            guard number < abs(count) else {
                if count < 0 { throw RPCError(code: .unavailable, message: "gone") }
                return nil
            }
            defer { number += 1 }
            return try TextCoding().serialize("\(number)")
        }
    }
}
