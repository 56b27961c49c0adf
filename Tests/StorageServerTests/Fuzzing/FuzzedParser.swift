// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A reader of what clients send, and what must hold of it whatever they send.
///
/// `tools/fuzz/run` gives each of them what libFuzzer comes upon; the tests give them the inputs that were worth keeping.
package enum FuzzedParser: String, CaseIterable, Sendable {
    case multipart
    case batch
    case range
    case uploadHeader = "upload-header"
    case xml
    case form
    case policy
    case fields
    case glob
    case signature

    /// Throws ``BrokenPromise`` when the reader does not do with an input what it must do with every one.
    package func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .multipart: try Self.checkMultipart(bytes)
        case .batch: try Self.checkBatch(bytes)
        case .range: try Self.checkRange(text)
        case .uploadHeader: try Self.checkUploadHeader(text)
        case .xml: try Self.checkXML(bytes)
        case .form: try Self.checkForm(bytes)
        case .policy: try Self.checkPolicy(bytes)
        case .fields: try Self.checkFields(bytes)
        case .glob: try Self.checkGlob(text)
        case .signature: try Self.checkSignature(text)
        }
    }
}
