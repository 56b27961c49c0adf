// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TestSupport

extension TemporaryDirectory {
    /// How many records lie in the ledger's file, as another process would find it now.
    func storedRecordCount() throws -> Int {
        try DatabaseQueue(path: path + "/usage.sqlite").read {
            try Int.fetchOne($0, sql: "SELECT sum(recordCount) FROM record") ?? 0
        }
    }

    /// Copies the ledger's files as another process would find them now; returns the directory of the copies.
    func copyOfLedger() throws -> String {
        let copy = path + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for file in ["usage.sqlite", "usage.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: "\(path)/\(file)", toPath: "\(copy)/\(file)")
        }
        return copy
    }
}
