// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Gives one parser, which FIREMETER_FUZZ_PARSER names, whatever libFuzzer comes upon; the arguments are libFuzzer's own.

import CLibFuzzer
import Foundation
import ParserChecks

guard FuzzTarget.parser != nil else {
    let names = FuzzedParser.allCases.map(\.rawValue).joined(separator: ", ")
    FileHandle.standardError.write(Data("FIREMETER_FUZZ_PARSER must be one of \(names)\n".utf8))
    exit(64)
}
var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments, testOneInput))
