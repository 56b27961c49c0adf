// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Collection where Self: Sendable, Element: Sendable {
    /// Transforms all elements at the same time, at most `countMax`; returns the results in the elements' order, without those
    /// that failed.
    ///
    /// Nothing is returned before everything is done, so that a screen is updated once. Throws `CancellationError` when
    /// the task is cancelled, and nothing else.
    public func concurrentCompactMap<Result: Sendable>(
        concurrencyMax: Int = ImagePipeline.concurrentLoadCountMaxDefault,
        _ transform: @escaping @Sendable (Element) async throws -> Result?
    ) async throws -> [Result] {
        precondition(concurrencyMax > 0, "nothing at a time never ends")
        var results = [Result?](repeating: nil, count: count)
        await withTaskGroup(of: (Int, Result?).self) { group in
            var rest = enumerated().makeIterator()
            func startNext() {
                guard !Task.isCancelled, let (position, element) = rest.next() else { return }
                group.addTask { (position, try? await transform(element)) }
            }
            for _ in 0..<concurrencyMax { startNext() }
            for await (position, result) in group {
                results[position] = result
                startNext()
            }
        }
        try Task.checkCancellation()
        return results.compactMap(\.self)
    }
}
