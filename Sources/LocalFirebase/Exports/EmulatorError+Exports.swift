// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SuiteFiles

extension EmulatorError {
    static func cannotImport(_ error: any Error) -> Self {
        let isBad = (error as? ExportError)?.code == .badData
        return Self(code: isBad ? .badData : .inputOutput, description: "cannot import: \(error)")
    }

    static func cannotExport(_ error: any Error) -> Self {
        Self(code: .inputOutput, description: "cannot export: \(error)")
    }
}
