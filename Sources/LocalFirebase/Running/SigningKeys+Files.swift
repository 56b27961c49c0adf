// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import StorageServer

extension SigningKeys {
    /// Reads the keys in service accounts' JSON files.
    init(files: [String]) throws(EmulatorError) {
        self.init()
        for path in files {
            guard let json = FileManager.default.contents(atPath: path) else {
                throw .badSigningKey(path, because: "it cannot be read")
            }
            do {
                try addServiceAccount(json: Array(json))
            } catch {
                throw .badSigningKey(path, because: error.message)
            }
        }
    }
}
