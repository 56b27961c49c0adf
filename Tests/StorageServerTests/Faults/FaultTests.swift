// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing

@testable import StorageServer

struct FaultTests {
    @Test(
        "knows the testbench's faults",
        arguments: [
            ("return-503", Fault.Effect.status(503)),
            ("return-200", .status(200)),
            ("return-reset-connection", .reset),
            ("return-broken-stream", .brokenAnswer(after: 4)),
            ("return-broken-stream-after-256K", .brokenAnswer(after: 262_144)),
            ("return-broken-stream-after-0K", .brokenAnswer(after: 0)),
            ("return-broken-stream-final-chunk-after-10B", .shortAnswer(byteCount: 10)),
            ("return-503-after-8192K", .brokenUpload(status: 503, after: 8_388_608)),
            ("stall-for-1s-after-0K", .stall(.seconds(1), after: 0)),
            ("stall-for-10s-after-12K", .stall(.seconds(10), after: 12_288)),
            ("return-unreachable-buckets-a", .unreachableBuckets(["a"])),
            (
                "return-unreachable-buckets-projects/_/buckets/a,projects/_/buckets/b",
                .unreachableBuckets(["projects/_/buckets/a", "projects/_/buckets/b"])
            ),
            ("redirect-send-token-a", .grpcOnly),
            ("redirect-send-handle-and-token-a", .grpcOnly),
            ("redirect-expect-token-a", .grpcOnly),
            ("return-503-if-dp-enforced", .grpcOnly),
        ]
    )
    func knows(text: String, effect: Fault.Effect) {
        #expect(Fault(text)?.effect == effect)
        #expect(Fault(text)?.text == text)
    }

    @Test(
        "refuses what cannot happen",
        arguments: [
            "", "return-", "return-a", "return-99", "return-600", "return-5030000000000000000000", "return-503-",
            "return-503-after-K", "return-503-after-256", "return-99-after-1K", "return--1", "return-50x",
            "return-broken-stream-after-K", "return-broken-stream-final-chunk-after-B", "return-unreachable-buckets-",
            "stall-for-s-after-1K", "stall-for-1s", "stall-for-1s-after-1K-after-1K", "stall-for-99999s-after-1K",
            "redirect-send-token-", "RETURN-503", " return-503", "return-503 ", "stall-for-1s-after-9999999999K",
        ]
    )
    func refuses(text: String) {
        #expect(Fault(text) == nil)
    }

    @Test(
        "reads the one-time header",
        arguments: [
            ("return-broken-stream", 0, Fault.Effect.brokenAnswer(after: 1 << 20)),
            ("return-corrupted-data", 5, .corruptedAnswer),
            ("stall-always", 5, .stall(.seconds(10), after: 0)),
            ("stall-at-256KiB", 0, .stall(.seconds(10), after: 262_144)),
            ("stall-at-256KiB", 1, nil),
            ("return-503-after-256K", 0, .brokenAnswer(after: 262_144)),
            ("return-503-after-256K", 1, nil),
            ("break-after-256K", 0, .brokenAnswer(after: 262_144)),
            ("return-503-after-256K/retry-1", 0, .brokenAnswer(after: 262_144)),
            ("return-503-after-256K/retry-2", 262_144, .status(503)),
            ("return-503-after-256K/retry-3", 0, nil),
            ("return-503-after-256K/retry-3", 262_144, nil),
            ("what", 0, nil),
        ]
    )
    func reads(instruction: String, start: Int64, effect: Fault.Effect?) {
        #expect(Fault.Effect.ofDownload(instruction: instruction, start: start) == effect)
    }

    @Test func `knows the methods of the retry suites`() {
        #expect(Fault.methods.count == 48)
        for method in [
            "storage.buckets.lockRetentionPolicy", "storage.default_object_acl.patch", "storage.notifications.insert",
            "storage.objects.rewrite", "storage.hmacKey.create", "storage.serviceaccount.get",
        ] {
            #expect(Fault.methods.contains(method))
        }
        #expect(!Fault.methods.contains("storage.notifications.update"))
    }
}
