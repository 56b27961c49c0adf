// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

struct WorkOrderTests {
    private final class Work: BatchedWork {
        func performInBatch() -> Bool { false }
        func performOnEventLoop() {}
    }

    private let order = WorkOrder()
    private let works = [Work(), Work(), Work()]

    private func id(_ index: Int) -> ObjectIdentifier { ObjectIdentifier(works[index]) }

    private func add(_ index: Int) -> Bool {
        order.add(WorkOrder.Item(work: works[index], id: id(index), isSmall: true))
    }

    @Test func `one thread takes the work in the order in which it came`() throws {
        #expect(order.isIdle)
        #expect((0..<3).map(add) == [true, false, false])
        for index in 0..<3 {
            let item = try #require(order.next())
            #expect(item.id == id(index))
            #expect(order.keepsTurn(item))
        }
        #expect(!order.isIdle)
        #expect(order.next()?.id == nil)
        #expect(order.isIdle)
        #expect(add(0))
    }

    @Test func `work that passes its turn on goes on beside the next`() throws {
        #expect((0..<2).map(add) == [true, false])
        let first = try #require(order.next())
        #expect(first.id == id(0))
        #expect(!order.pass(id(1)))
        // The next gets a thread of its own.
        #expect(order.pass(id(0)))
        #expect(!order.pass(id(0)))
        let second = try #require(order.next())
        #expect(second.id == id(1))
        #expect(!order.keepsTurn(first))
        #expect(order.keepsTurn(second))
        // No work waits: the one that comes gets a thread.
        #expect(!order.pass(id(1)))
        #expect(order.isIdle)
        #expect(add(2))
    }

    @Test func `a turn is over although its id is used again`() throws {
        #expect(add(0))
        let former = try #require(order.next())
        #expect(!order.pass(id(0)))
        #expect(add(0))
        let later = try #require(order.next())
        #expect(!order.keepsTurn(former))
        #expect(order.keepsTurn(later))
    }
}
