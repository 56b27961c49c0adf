// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Foundation
import TestSupport

extension TemporaryDirectory {
    /// Where a store may be in it.
    var file: StoreLocation { .file(url.appending(path: "documents.sqlite")) }
}
