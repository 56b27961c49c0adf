// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The words of the official emulator come first, where it has any.
//
// Source: official Firestore emulator of google-cloud-cli 528.0.0 (2026-11).

extension ExportError {
    static func largeRecord(_ byteCount: Int) -> Self {
        Self(
            code: .inputOutput,
            description: "a document has \(byteCount) bytes as an entity; "
                + "exports take \(RecordLog.recordByteCountMax) at most"
        )
    }

    static func wrongChecksum(_ path: String, at offset: Int64) -> Self {
        Self(code: .badData, description: "Checksum doesn't validate. \(path) is damaged at byte \(offset)")
    }

    static func invalidRecord(_ path: String, at offset: Int64, because reason: String) -> Self {
        Self(code: .badData, description: "Invalid record in \(path) at byte \(offset): \(reason)")
    }

    static func badOverallFile(_ path: String, because reason: String) -> Self {
        Self(
            code: .badData,
            description: "Failed to parse overall export metadata file: \(path) \(reason)"
        )
    }

    static func unsupportedOverallFile(_ path: String, because reason: String) -> Self {
        Self(
            code: .badData,
            description: "Overall export metadata file version not supported: \(path) \(reason)"
        )
    }

    static func badEntityFile(_ path: String, because reason: String) -> Self {
        Self(code: .badData, description: "Failed parse entity file:\(path): \(reason)")
    }
}
