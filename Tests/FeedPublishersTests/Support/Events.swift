// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedPublishers

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The values of a publisher, until it ends.
func events<Output: Sendable, Failure: Error>(
    of publisher: ColdPublisher<Output, Failure>
) async -> (values: [Output], failure: Failure?) {
    let (results, sends) = AsyncStream.makeStream(of: Result<Output, Failure>.self)
    let subscription = publisher.sink { completion in
        if case .failure(let error) = completion { sends.yield(.failure(error)) }
        sends.finish()
    } receiveValue: { value in
        sends.yield(.success(value))
    }
    var values: [Output] = []
    var failure: Failure?
    for await result in results {
        switch result {
        case .success(let value): values.append(value)
        case .failure(let error): failure = error
        }
    }
    subscription.cancel()
    return (values, failure)
}
