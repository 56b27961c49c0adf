// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension FeedError {
    static func noResponse(for subject: String, cause: any Error) -> Self {
        Self(code: .noResponse, message: "\(subject): no response; check the address and the network", cause: cause)
    }

    static func serverRefused(_ subject: String, status: Int, serverMessage: String) -> Self {
        Self(code: .serverRefused, message: "\(subject): \(status) \(serverMessage)", status: status)
    }

    static func responseUnreadable(_ subject: String, _ problem: String) -> Self {
        Self(code: .responseUnreadable, message: "\(subject): \(problem)")
    }

    static func responseTooLarge(byteCountMax: Int) -> Self {
        Self(code: .responseUnreadable, message: "the response is larger than the limit of \(byteCountMax) bytes")
    }

    static func damaged(_ subject: String) -> Self {
        Self(code: .damaged, message: "\(subject): the bytes that came are not those of the object, by their CRC-32C")
    }

    static func withheld(_ subject: String, reason: String) -> Self {
        Self(code: .withheld, message: "\(subject): not loaded: \(reason)")
    }

    static func documentInvalid(_ document: String, field: String, _ problem: String) -> Self {
        Self(code: .documentInvalid, message: "\(document): \(field): \(problem)")
    }

    package static func postNotLoaded(owner: String, id: String) -> Self {
        let message = "post \(id) of \(owner) is on no loaded page; open the feed or scroll to its page first"
        return Self(code: .postNotLoaded, message: message)
    }

    package static func feedNotOpen(_ action: String) -> Self {
        Self(code: .feedNotOpen, message: "\(action): no such list is open; open it first")
    }

    static func superseded(_ sort: FeedSort, page: Int) -> Self {
        let message = "page \(page) of \(sort.rawValue) came too late: the list was opened anew or the app relaunched"
        return Self(code: .superseded, message: message)
    }

    static func cacheUnusable(_ path: String, cause: any Error) -> Self {
        let message = "cannot use \(path) as disk cache; pass a directory that can be created and written"
        return Self(code: .cacheUnusable, message: message, cause: cause)
    }
}
