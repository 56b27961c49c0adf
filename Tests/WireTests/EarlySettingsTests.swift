// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Wire

struct EarlySettingsTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 1, 0]
    private static let emptySettings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    private static let acknowledgement: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0]
    private static let longAcknowledgement: [UInt8] = [0, 0, 1, 4, 1, 0, 0, 0, 0, 7]
    private static let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]

    @Test(
        arguments: [
            (settings + ping + acknowledgement + ping, settings + acknowledgement + ping + ping),
            (emptySettings + acknowledgement + ping, emptySettings + acknowledgement + ping),
            (emptySettings + ping + settings + ping, emptySettings + acknowledgement + ping + settings + ping),
            // A second acknowledgement, one with a payload and a client that begins otherwise are for the codec to refuse.
            (settings + acknowledgement + acknowledgement, settings + acknowledgement + acknowledgement),
            (settings + longAcknowledgement + ping, settings + acknowledgement + longAcknowledgement + ping),
            (ping + settings + acknowledgement, ping + settings + acknowledgement),
            (acknowledgement + settings, acknowledgement + settings),
        ] as [([UInt8], [UInt8])],
        [1, 4, 1_000]
    )
    func `acknowledges the settings in the client's place`(frames: (sent: [UInt8], passed: [UInt8]), size: Int) {
        var early = EarlySettings()
        var passed: [UInt8] = []
        let sent = Self.preface + frames.sent
        for start in stride(from: 0, to: sent.count, by: size) {
            passed += early.passed(ByteBuffer(bytes: sent[start...].prefix(size))).readableBytesView
        }
        #expect(passed == Self.preface + frames.passed)
    }
}
