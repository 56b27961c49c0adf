// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ParserChecks

/// The parsers that libFuzzer is run on.
enum FuzzTarget {
    /// The parser that FIREMETER_FUZZ_PARSER names.
    static let parser = ProcessInfo.processInfo.environment["FIREMETER_FUZZ_PARSER"].flatMap(FuzzedParser.init)
}

/// Gives an input to the parser; libFuzzer calls it by this name and keeps the input when it does not return.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try FuzzTarget.parser?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError("a promise is broken: \(error)")
    }
    return 0
}
