// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import LoopbackRelay
import NIOCore
import NIOHPACK

/// One HTTP/2 frame as it is on the wire.
struct Frame {
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let resetStream: UInt8 = 3
        static let settings: UInt8 = 4
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    enum Flag {
        static let endStream: UInt8 = 1
        static let acknowledgement: UInt8 = 1
        static let endHeaders: UInt8 = 4
        static let padded: UInt8 = 8
    }

    var kind: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    var endsStream: Bool { kind <= Kind.headers && flags & Flag.endStream != 0 }

    var bytes: [UInt8] {
        let length = UInt32(payload.count)
        return [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind, flags]
            + stream.bigEndianBytes + payload
    }

    static func ping(_ data: UInt8) -> Frame {
        Frame(kind: Kind.ping, payload: [UInt8](repeating: data, count: 8))
    }

    static func reset(_ stream: UInt32, code: UInt32) -> Frame {
        Frame(kind: Kind.resetStream, stream: stream, payload: code.bigEndianBytes)
    }

    static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> Frame {
        Frame(kind: Kind.windowUpdate, stream: stream, payload: increment.bigEndianBytes)
    }

    static func data(_ stream: UInt32, _ payload: [UInt8], endsStream: Bool = false) -> Frame {
        Frame(kind: Kind.data, flags: endsStream ? Flag.endStream : 0, stream: stream, payload: payload)
    }

    static func settings(_ values: [(id: UInt16, value: UInt32)]) -> Frame {
        let payload = values.flatMap { [UInt8($0.id >> 8), UInt8($0.id & 0xFF)] + $0.value.bigEndianBytes }
        return Frame(kind: Kind.settings, payload: payload)
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(self >> $0 & 0xFF) } }

    init(bigEndianBytes bytes: some Collection<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
