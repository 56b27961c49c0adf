// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import Foundation
import TestSupport
import Testing

struct SpaceReserveTests {
    private struct Failure: Error, Equatable {
        var isOfDisk = true
    }

    private static func isOfDisk(_ error: any Error) -> Bool { (error as? Failure)?.isOfDisk ?? false }

    private let directory: TemporaryDirectory
    private let reserve: SpaceReserve
    private var path: String { directory.path + "/reserve" }

    init() throws {
        directory = TemporaryDirectory()
        reserve = SpaceReserve(directory.path + "/reserve", byteCountMax: 128 << 10)
    }

    private func keptByteCount() throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test func `keeps space when it is asked for`() throws {
        #expect(reserve.byteCount == 128 << 10)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(!reserve.isShort)
        #expect(try keptByteCount() == 128 << 10)
    }

    @Test func `keeps an eighth of a small disk at most`() throws {
        let whole = SpaceReserve(path, byteCountMax: .max)
        #expect((1..<Int64.max / 8).contains(whole.byteCount))
        #expect(whole.byteCount % (64 << 10) == 0)
    }

    @Test func `gives its space to a deletion that the disk fails`() throws {
        reserve.refill()
        var attempts: [Int] = []
        var tidied = 0
        func tidy() { tidied += 1 }
        let result = try reserve.deleting(isFault: Self.isOfDisk, tidy: tidy) {
            attempts.append(try keptByteCount())
            if attempts.count == 1 { throw Failure() }
            #expect(reserve.isShort, "nothing new is stored in the space of a deletion")
            return "done"
        }
        #expect(result == "done")
        #expect(attempts == [128 << 10, 0])
        #expect(tidied == 1)
        #expect(try keptByteCount() == 128 << 10)
        #expect(!reserve.isShort)
    }

    @Test func `keeps the space again after a deletion that fails twice`() throws {
        reserve.refill()
        #expect(throws: Failure()) { try reserve.deleting(isFault: Self.isOfDisk) { throw Failure() } }
        #expect(try keptByteCount() == 128 << 10)
    }

    @Test func `is not for refusals`() throws {
        reserve.refill()
        var attemptCount = 0
        #expect(throws: Failure(isOfDisk: false)) {
            try reserve.deleting(isFault: Self.isOfDisk) {
                attemptCount += 1
                throw Failure(isOfDisk: false)
            }
        }
        #expect(attemptCount == 1)
    }

    @Test func `waits for the last of several deletions`() throws {
        reserve.refill()
        var outer = 0
        try reserve.deleting(isFault: Self.isOfDisk) {
            outer += 1
            if outer == 1 { throw Failure() }
            var inner = 0
            try reserve.deleting(isFault: Self.isOfDisk) {
                inner += 1
                if inner == 1 { throw Failure() }
            }
            #expect(try keptByteCount() == 0)
        }
        #expect(try keptByteCount() == 128 << 10)
    }

    @Test func `may keep nothing`() throws {
        #expect(!SpaceReserve.none.isShort)
        var attemptCount = 0
        #expect(throws: Failure()) {
            try SpaceReserve.none.deleting(isFault: Self.isOfDisk) {
                attemptCount += 1
                throw Failure()
            }
        }
        #expect(attemptCount == 1)
    }
}
