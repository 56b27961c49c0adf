// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
package import ObjectStore

/// The object that a download answered with, or would have: what a recorded session has of it besides its usage.
package final class ServedObject: UsageDetail {
    /// The generation that is there.
    package let metadata: ObjectMetadata

    init(_ metadata: ObjectMetadata) { self.metadata = metadata }
}
