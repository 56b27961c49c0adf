// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a local Firebase keeps its files.
struct DataDirectory: Sendable {
    let path: String
    /// Whether the directory is removed at the end.
    let isTemporary: Bool

    /// Creates the directory if need be.
    init(_ configuration: EmulatorConfiguration) throws(EmulatorError) {
        switch configuration.storage {
        case .directory(let path):
            self.path = path
            isTemporary = false
        case .ephemeral:
            path = "\(configuration.temporaryDirectory)/firemeter-\(UUID().uuidString)"
            isTemporary = true
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotOpen("the data directory \(path)", error)
        }
    }

    func removeIfTemporary() {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}
