// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

@testable import Wire

struct ClientNameTests {
    @Test(
        arguments: [
            ("gl-python/3.13 gccl/3.1 gccl-invocation-id/0b4dbb9b-0c6e-4b2f", "gl-python/3.13 gccl/3.1"),
            ("gccl-invocation-id/7e gccl-attempt-count/2 gl-go/1.24.0 gccl/1.50.0", "gl-go/1.24.0 gccl/1.50.0"),
            (
                "gl-node/22.1 gccl/7.16 gccl-invocation-id/1d gccl-gcs-cmd/tm.upload_many",
                "gl-node/22.1 gccl/7.16 gccl-gcs-cmd/tm.upload_many"
            ),
            ("gcloud/540.0 command/storage.cp invocation-id/5f3a", "gcloud/540.0 command/storage.cp"),
            ("gl-js/  fire/12.4.0", "gl-js/  fire/12.4.0"), ("Mozilla/5.0 (X11)", "Mozilla/5.0 (X11)"),
        ]
    )
    func `names a client alike in all its requests`(name: String, kept: String) {
        #expect(UsageAttribution.cutClient(name) == kept)
    }

    @Test func `cuts a long name behind what is new with every request`() {
        let long = String(repeating: "n", count: 300)
        #expect(UsageAttribution.cutClient("gccl-invocation-id/7e \(long)") == String(long.prefix(256)))
    }
}
