// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import SuiteFiles

extension EmulatorError {
    static func cannotImport(_ error: any Error) -> Self {
        let isBad = (error as? ExportError)?.code == .badData
        return Self(code: isBad ? .badData : .inputOutput, description: "cannot import: \(error)")
    }

    static func cannotExport(_ error: any Error) -> Self {
        Self(code: .inputOutput, description: "cannot export: \(error)")
    }

    /// Says where the data are that could not be exported at the end.
    func withData(keptIn path: String?) -> Self {
        guard let path else { return self }
        return Self(
            code: code,
            description: "\(description)\n\(ProgramName.current): the data are kept in \(path): "
                + "start with --data \(path) and without --import to have them, and to export them again"
        )
    }
}
