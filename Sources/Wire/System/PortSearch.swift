// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Ports for services that take another where theirs is in use.
package enum PortSearch {
    private static let countMax = 100
    /// How often a free port is picked that is free at all addresses.
    private static let freePortCountMax = 10

    /// The ports from one on that such a service tries in turn.
    ///
    /// - Parameters:
    ///   - first: The port to begin with.
    ///   - taken: Ports that are meant for others.
    /// - Returns: A hundred at most, in their order.
    package static func candidates(from first: Int, but taken: Set<Int>) -> [Int] {
        (first..<max(first, min(first + countMax, 65_536))).filter { !taken.contains($0) }
    }

    /// Listens on the first port that is not in use.
    ///
    /// To ask before whether one is free would not do: several emulators may start at a time.
    ///
    /// - Parameters:
    ///   - port: The port to begin with; 0 for any that is free, which may take several tries.
    ///   - others: The ports to take in its place.
    ///   - listen: Listens on a port; `isLast` where no other is tried after it.
    /// - Returns: The result of `listen`.
    /// - Throws: The last error of `listen`.
    static func listen<Result>(
        on port: Int,
        or others: [Int],
        _ listen: (_ port: Int, _ isLast: Bool) async throws -> Result
    ) async throws -> Result {
        let others = port == 0 ? Array(repeating: 0, count: freePortCountMax - 1) : others
        var port = port
        for next in others {
            do {
                return try await listen(port, false)
            } catch let error as WireError where error.isPortInUse {
                port = next
            }
        }
        return try await listen(port, true)
    }
}
