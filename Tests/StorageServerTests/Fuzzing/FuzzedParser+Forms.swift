// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

@testable import StorageServer

extension FuzzedParser {
    /// The outcome of a body: its parts, or the reason that it is not an upload.
    private struct MultipartOutcome: Equatable {
        var metadata: [UInt8] = []
        var object: [UInt8] = []
        var mediaContentType: String?
        var isComplete = false
        var failure: MultipartRelatedParser.Failure?

        init(_ body: [UInt8], pieceByteCount: Int) {
            do {
                var parser = try MultipartRelatedParser(contentType: "multipart/related; boundary=b")
                for piece in FuzzedParser.pieces(of: body, byteCount: pieceByteCount) {
                    try parser.consume(piece) { object += $0 }
                }
                metadata = parser.metadata
                mediaContentType = parser.mediaContentType
                isComplete = parser.isComplete
            } catch {
                object = []
                failure = error as? MultipartRelatedParser.Failure
            }
        }
    }

    /// A body cut into pieces, the last of which may be shorter.
    private static func pieces(of body: [UInt8], byteCount: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: body.count, by: byteCount).map { body[$0..<min($0 + byteCount, body.count)] }
    }

    /// Returns what comes of a body, which must be the same whether it arrives whole or byte by byte.
    private static func outcome<Outcome: Equatable>(
        of body: [UInt8],
        _ outcome: (_ body: [UInt8], _ pieceByteCount: Int) -> Outcome
    ) throws -> Outcome {
        let whole = outcome(body, max(1, body.count))
        try promise("pieces change nothing", outcome(body, 1) == whole)
        return whole
    }

    /// An upload parses to equal parts whether it arrives whole or byte by byte; what describes the object is read too.
    static func checkMultipart(_ bytes: [UInt8]) throws {
        let whole = try outcome(of: bytes, MultipartOutcome.init)
        try promise("no byte is made up", whole.metadata.count + whole.object.count <= bytes.count)
        guard let requested = try? ObjectChanges(parsing: whole.metadata) else { return }
        _ = try? requested.expectedDigest()
        _ = try? requested.attributes(.firebase, mediaContentType: whole.mediaContentType)
        _ = try? requested.attributes(.json(now: 0), mediaContentType: whole.mediaContentType)
    }
}

extension FuzzedParser {
    /// The outcome of a form: its fields and its file, or the reason that it is not a form.
    private struct FormOutcome: Equatable {
        var fields = FormFields()
        var header: FormPartHeader?
        var file: [UInt8] = []
        var isComplete = false
        var failure: FormDataParser.Failure?

        init(_ body: [UInt8], pieceByteCount: Int) {
            do {
                var parser = try FormDataParser(contentType: "multipart/form-data; boundary=b")
                for piece in FuzzedParser.pieces(of: body, byteCount: pieceByteCount) {
                    try parser.consume(piece) { file += $0 }
                }
                fields = parser.fields
                header = parser.file
                isComplete = parser.isFileComplete
            } catch {
                file = []
                failure = error as? FormDataParser.Failure
            }
        }
    }

    /// A form parses to equal fields whether it arrives whole or byte by byte; no form is signed by a key that no one has.
    static func checkForm(_ bytes: [UInt8]) throws {
        let whole = try outcome(of: bytes, FormOutcome.init)
        let isSigned = (try? SignedForm.judge(whole.fields, keys: secretKeys)) != nil
        try promise("signatures are not made up", !isSigned)
        try? SignedForm.judge(whole.fields, keys: SigningKeys())
        guard let header = whole.header, let bucket = BucketName("bkt") else { return }
        _ = try? FormUpload(whole.fields, file: header, in: bucket)
        let policy = try? PostPolicy.decode(base64: whole.fields["policy"] ?? "")
        try? policy?.judge(whole.fields, bucket: "bkt", key: whole.fields["key"] ?? "", now: 0)
    }
}
