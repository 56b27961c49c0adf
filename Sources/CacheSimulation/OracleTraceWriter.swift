// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension OracleTrace {
    /// A trace as a file of the format, for other simulators; its times are the numbers of the requests.
    package static func file(of trace: some RequestTrace) throws -> Data {
        var (trace, block) = (trace, TraceBlock())
        var file = Data()
        var number: UInt32 = 0
        while try trace.read(&block) {
            for request in block.requests {
                file.append(littleEndian: number)
                file.append(littleEndian: UInt64(request.object))
                file.append(littleEndian: request.byteCount)
                file.append(littleEndian: UInt64(bitPattern: request.nextRequest))
                number &+= 1
            }
        }
        return file
    }
}

extension Data {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
