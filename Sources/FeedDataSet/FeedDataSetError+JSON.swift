// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FeedDataSetError {
    static func notJSON(_ detail: String) -> Self {
        Self(code: .malformed, message: "feed.json is not valid JSON: \(detail)")
    }

    static func missing(_ path: String, expected: String) -> Self {
        Self(code: .malformed, message: "\(path): missing; expected \(expected)")
    }

    static func illTyped(_ path: String, expected: String) -> Self {
        Self(code: .malformed, message: "\(path): expected \(expected)")
    }

    static func illValued(_ path: String, expected: String) -> Self {
        Self(code: .invalid, message: "\(path): expected \(expected)")
    }

    static func repeated(_ path: String, id: String, first: String) -> Self {
        Self(code: .invalid, message: "\(path): \"\(id)\" is also the id of \(first); ids must be unique")
    }

    static func unknownOwner(_ path: String, id: String) -> Self {
        Self(code: .invalid, message: "\(path): no user has the id \"\(id)\"; add it to users")
    }

    static func tooMany(_ path: String, count: Int, limit: Int) -> Self {
        Self(code: .limitExceeded, message: "\(path): \(count) entries; the limit is \(limit)")
    }
}
