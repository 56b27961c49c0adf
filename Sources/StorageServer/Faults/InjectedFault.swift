// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What reading a request's body throws where a client asked that its upload fail.
struct InjectedFault: Error {
    /// The answer that the client asked for.
    let failure: StorageFailure

    init(status: Int) {
        failure = StorageFailure(
            status: status,
            message: "Fault injected during an upload",
            reason: StorageFailure.reason(ofInjected: status)
        )
    }
}

extension StorageFailure {
    /// The failure that a planned `return-N` stands for.
    static func injected(_ status: Int) -> Self {
        Self(status: status, message: "Retry Test: Caused a \(status)", reason: reason(ofInjected: status))
    }

    /// The reason that production gives with a status; clients decide by it whether to try again.
    fileprivate static func reason(ofInjected status: Int) -> String {
        switch status {
        case 401: "authError"
        case 403: "forbidden"
        case 404: "notFound"
        case 408: "requestTimeout"
        case 412: "conditionNotMet"
        case 429: "rateLimitExceeded"
        case 500...: "backendError"
        default: "invalid"
        }
    }
}
