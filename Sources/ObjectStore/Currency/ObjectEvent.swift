// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// A change of an object, other than by an import or with all others.
package struct ObjectEvent: Sendable {
    /// The kinds of changes.
    package enum Kind: Sendable {
        /// Written, also over another.
        case finalized
        case metadataUpdated
        case deleted
        /// No longer the live version, in a bucket that keeps versions.
        case archived
    }

    /// The kind.
    package let kind: Kind
    /// The object afterwards; deleted, as it was.
    package let object: ObjectMetadata
}

/// The changes that the open transaction makes, for those who ask for them; there is one writer at a time.
final class ObjectEvents: Sendable {
    private struct State {
        var observer: (@Sendable (ObjectEvent) -> Void)?
        var events: [ObjectEvent] = []
    }

    private let state = NIOLockedValueBox(State())

    func observe(_ observer: @escaping @Sendable (ObjectEvent) -> Void) {
        state.withLockedValue { $0.observer = observer }
    }

    func add(_ kind: ObjectEvent.Kind, _ object: ObjectMetadata) {
        state.withLockedValue { state in
            if state.observer != nil { state.events.append(ObjectEvent(kind: kind, object: object)) }
        }
    }

    /// Reports the changes, or forgets them where they were not committed; called before the next transaction begins.
    func transactionEnded(isCommitted: Bool) {
        let (observer, events) = state.withLockedValue { state in
            defer { state.events = [] }
            return (state.observer, state.events)
        }
        if isCommitted, let observer { for event in events { observer(event) } }
    }
}
