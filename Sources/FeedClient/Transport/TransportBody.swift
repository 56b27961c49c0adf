// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The body of a response, in pieces as they come.
///
/// It can be read once. A body that ends too early throws; one whose reader is cancelled throws `CancellationError`.
public struct TransportBody: AsyncSequence, Sendable {
    private enum Source: Sendable {
        case whole(Data)
        case pieces(AsyncThrowingStream<Data, any Error>)
    }

    private let source: Source
    private var observers: [@Sendable (Data) -> Void] = []

    /// Creates a body that is there already.
    public init(_ data: Data) { source = .whole(data) }

    /// Creates a body of pieces; the stream's termination signals that it is no longer read.
    public init(_ pieces: AsyncThrowingStream<Data, any Error>) { source = .pieces(pieces) }

    /// The body again, each piece shown to the observer when it is read.
    package func observed(by observer: @escaping @Sendable (Data) -> Void) -> TransportBody {
        var body = self
        body.observers.append(observer)
        return body
    }

    /// All pieces together.
    public func collected() async throws -> Data {
        var data = Data()
        for try await piece in self { data.append(piece) }
        return data
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        switch source {
        case .whole(let data): Iterator(rest: data.isEmpty ? nil : data, pieces: nil, observers: observers)
        case .pieces(let pieces): Iterator(rest: nil, pieces: pieces.makeAsyncIterator(), observers: observers)
        }
    }

    /// Reads a body.
    public struct Iterator: AsyncIteratorProtocol {
        var rest: Data?
        var pieces: AsyncThrowingStream<Data, any Error>.Iterator?
        let observers: [@Sendable (Data) -> Void]

        /// The next piece; `nil` at the end of a whole body.
        public mutating func next() async throws -> Data? {
            guard let piece = try await nextUnobserved() else { return nil }
            for observer in observers { observer(piece) }
            return piece
        }

        private mutating func nextUnobserved() async throws -> Data? {
            if let rest {
                self.rest = nil
                return rest
            }
            let piece = try await pieces?.next()
            // A stream whose reader is cancelled ends as if it were whole.
            if piece == nil { try Task.checkCancellation() }
            return piece
        }
    }
}
