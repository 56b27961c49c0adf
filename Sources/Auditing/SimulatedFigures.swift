// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// What only a simulation knows of a strategy.
package struct SimulatedFigures: Sendable, Hashable {
    /// How long the users waited, by the kind of view.
    package let times: [SessionView.Kind: ViewTimes]
    /// Why each byte was downloaded.
    package let causes: CauseTally

    /// Creates figures.
    package init(times: [SessionView.Kind: ViewTimes] = [:], causes: CauseTally = CauseTally()) {
        self.times = times
        self.causes = causes
    }

    /// How long the users waited, of views of every kind.
    package var allTimes: ViewTimes { times.values.reduce(into: ViewTimes()) { $0.add($1) } }
}
