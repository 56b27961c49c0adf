// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import ObjectStore
import Wire

/// The objects that a page of a listing is about: what a recorded session has of it besides its usage.
package final class ListedObjects: UsageDetail {
    package let prefix: String
    /// Whether objects behind a further slash are left out.
    package let hasDelimiter: Bool
    /// Whether the page begins behind another.
    package let isContinued: Bool

    init(_ query: ObjectListQuery) {
        prefix = query.prefix
        hasDelimiter = query.delimiter == "/"
        isContinued = query.pageToken != nil
    }
}

extension StorageContext {
    /// Notes what was listed, where a session is recorded.
    func note(_ query: ObjectListQuery, listedBy call: StorageCall) {
        if recording.isOn { call.exchange.describe(by: ListedObjects(query)) }
    }
}
