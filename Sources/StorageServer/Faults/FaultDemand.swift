// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The headers by which a request asks to fail.
enum FaultDemand: Equatable {
    /// As the plan of this id says.
    case plan(String)
    /// As this instruction says, this once.
    case instruction(String)

    private static let planName = HTTPField.Name("x-retry-test-id")
    /// The second is what the testbench called it at first.
    private static let instructionNames = ["x-goog-emulator-instructions", "x-goog-testbench-instructions"]
        .compactMap { HTTPField.Name($0) }

    /// Returns `nil` for a request that asks for nothing of the kind.
    init?(_ fields: HTTPFields) {
        if let id = Self.planName.flatMap({ fields[$0] }), !id.isEmpty {
            self = .plan(id)
        } else if let instruction = Self.instructionNames.lazy.compactMap({ fields[$0] }).first, !instruction.isEmpty {
            self = .instruction(instruction)
        } else {
            return nil
        }
    }
}
