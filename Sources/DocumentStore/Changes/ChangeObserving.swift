// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Receives every commit.
package protocol ChangeObserving: AnyObject, Sendable {
    /// Called once a commit is durable, in the order of commits and before the next one begins.
    ///
    /// The committer waits for it to return: it must be quick and must not call the store.
    func didCommit(_ changes: CommittedChanges)
}
