// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The result of one pull of a stream.
package struct ListenBatch: Sendable {
    /// How the next events come.
    package enum Continuation: Sendable {
        /// By another pull.
        case atOnce
        /// By another pull, which may block.
        case blocking
        /// When something happens, see ``ListenStream/park(_:)``.
        case whenWoken
    }

    /// The first events, which other streams are sent as well.
    package private(set) var common: CommonEvents?
    /// The events behind those.
    package private(set) var own: [ListenEvent] = []
    package internal(set) var continuation = Continuation.atOnce
    /// The targets with document reads to bill.
    package private(set) var bills: [ListenBill] = []
    /// The label of the target that was added, billed or not.
    package internal(set) var addedLabel: TargetLabel?

    /// Nothing, as it could have blocked.
    static var leftToBlocking: Self {
        var batch = Self()
        batch.continuation = .blocking
        return batch
    }

    /// All events, to be sent in this order.
    package var events: [ListenEvent] { common.map { $0.events + own } ?? own }

    package var isEmpty: Bool { common == nil && own.isEmpty }

    mutating func append(_ event: ListenEvent) { own.append(event) }

    mutating func append(contentsOf events: some Sequence<ListenEvent>) { own.append(contentsOf: events) }

    mutating func append(_ events: CommonEvents) {
        if isEmpty { common = events } else { own += events.events }
    }

    /// Bytes of its documents.
    var heldByteCount: Int {
        events.reduce(0) { sum, event in
            if case .documentChanged(let document, _, _) = event { sum + document.heldByteCount } else { sum }
        }
    }

    mutating func bill(_ count: Int, to target: Int32) {
        guard count > 0 else { return }
        change(target) { $0.readCount += count }
    }

    /// Bills documents that rules looked at to judge a target.
    mutating func bill(ruleReads count: Int, to target: Int32) {
        guard count > 0 else { return }
        change(target) { $0.ruleReadCount += count }
    }

    mutating func replaceBill(of target: Int32, by count: Int) { change(target) { $0.readCount = count } }

    private mutating func change(_ target: Int32, _ change: (inout ListenBill) -> Void) {
        if let index = bills.firstIndex(where: { $0.target == target }) {
            change(&bills[index])
        } else {
            var bill = ListenBill(target: target)
            change(&bill)
            bills.append(bill)
        }
    }

    /// Says what the billed reads are about, where that is known.
    mutating func label(_ label: (Int32) -> TargetLabel?) {
        for index in bills.indices { bills[index].label = label(bills[index].target) ?? bills[index].label }
    }
}

/// The document reads of a target in a batch.
package struct ListenBill: Sendable, Equatable {
    package let target: Int32
    package fileprivate(set) var label = TargetLabel()
    package fileprivate(set) var readCount = 0
    /// Reads by rules that judged the target.
    package fileprivate(set) var ruleReadCount = 0
}
