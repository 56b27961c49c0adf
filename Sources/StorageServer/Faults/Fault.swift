// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One failure that a client asks for, in the words of Google's storage testbench.
///
/// Source: https://github.com/googleapis/storage-testbench#forced-failures-supported (0.45, 2026-11).
struct Fault: Sendable, Equatable {
    /// The effect.
    enum Effect: Sendable, Equatable {
        /// The call is answered with this status and not carried out.
        case status(Int)
        /// The connection is reset and the call not carried out.
        case reset
        /// The connection ends after a number of bytes of the answer's body.
        case brokenAnswer(after: Int64)
        /// An upload is answered with this status once a number of its bytes have come.
        case brokenUpload(status: Int, after: Int64)
        /// The answer that ends a resumable upload is cut to a number of bytes.
        case shortAnswer(byteCount: Int)
        /// The bytes stop for a while, those of an upload or those of an answer.
        case stall(Duration, after: Int64)
        /// A listing of buckets cannot reach these.
        case unreachableBuckets([String])
        /// The first byte of a download is another one.
        case corruptedAnswer
        /// Nothing happens over HTTP.
        case grpcOnly
    }

    /// The longest stall.
    static let stallMax = Duration.seconds(3_600)
    /// After how many bytes a broken answer ends that names no number.
    static let brokenAnswerByteCount: Int64 = 4

    /// The words it was asked for with.
    let text: String
    let effect: Effect

    /// Returns `nil` for what the testbench does not know, and for statuses that no answer can have.
    init?(_ text: String) {
        guard let effect = Self.effect(text) else { return nil }
        self.text = text
        self.effect = effect
    }

    private static func effect(_ text: String) -> Effect? {
        answerEffect(text) ?? brokenUpload(text) ?? stall(text) ?? unreachableBuckets(text) ?? grpcEffect(text)
    }

    private static func answerEffect(_ text: String) -> Effect? {
        switch text {
        case "return-reset-connection": return .reset
        case "return-broken-stream": return .brokenAnswer(after: brokenAnswerByteCount)
        default: break
        }
        if let count = text.number(between: "return-broken-stream-after-", and: "K") {
            return .brokenAnswer(after: Int64(count) << 10)
        }
        if let count = text.number(between: "return-broken-stream-final-chunk-after-", and: "B") {
            return .shortAnswer(byteCount: count)
        }
        return text.number(between: "return-", and: "").flatMap(status).map(Effect.status)
    }

    /// The status of an answer; others cannot end a call.
    private static func status(_ number: Int) -> Int? { (200...599).contains(number) ? number : nil }

    private static func brokenUpload(_ text: String) -> Effect? {
        let (left, right) = text.cut(at: "-after-")
        guard let status = left.number(between: "return-", and: "").flatMap(status),
            let count = right?.number(between: "", and: "K")
        else { return nil }
        return .brokenUpload(status: status, after: Int64(count) << 10)
    }

    private static func stall(_ text: String) -> Effect? {
        let (left, right) = text.cut(at: "-after-")
        guard let seconds = left.number(between: "stall-for-", and: "s"),
            let count = right?.number(between: "", and: "K"),
            Duration.seconds(seconds) <= stallMax
        else { return nil }
        return .stall(.seconds(seconds), after: Int64(count) << 10)
    }

    private static func unreachableBuckets(_ text: String) -> Effect? {
        let start = "return-unreachable-buckets-"
        guard text.hasPrefix(start), text.utf8.count > start.utf8.count else { return nil }
        return .unreachableBuckets(text.dropFirst(start.count).split(separator: ",").map(String.init))
    }

    private static func grpcEffect(_ text: String) -> Effect? {
        let starts = ["redirect-send-token-", "redirect-send-handle-and-token-", "redirect-expect-token-"]
        let isRedirection = starts.contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
        let isOfDirectPath = text.number(between: "return-", and: "-if-dp-enforced") != nil
        return isRedirection || isOfDirectPath ? .grpcOnly : nil
    }
}

extension StringProtocol {
    /// The digits between a beginning and an end, at most nine.
    fileprivate func number(between start: String, and end: String) -> Int? {
        guard hasPrefix(start), hasSuffix(end), utf8.count > start.utf8.count + end.utf8.count else { return nil }
        let digits = dropFirst(start.count).dropLast(end.count)
        guard digits.utf8.count <= 9, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    /// The parts before and behind the first occurrence of a text.
    fileprivate func cut(at text: String) -> (left: SubSequence, right: SubSequence?) {
        guard let range = firstRange(of: text) else { return (self[...], nil) }
        return (self[..<range.lowerBound], self[range.upperBound...])
    }
}

extension Fault {
    /// The methods that faults can be planned for, by the names of Google's JSON API.
    ///
    /// `storage.objects.get` stands for downloads of every API as well, `storage.objects.insert` for every request of an
    /// upload. Source: https://github.com/googleapis/storage-testbench `rest_server.py` (0.45, 2026-11).
    static let methods: Set<String> = {
        let changes = ["insert", "get", "list", "update", "patch", "delete"]
        let operations: [String: [String]] = [
            "buckets": changes + ["getIamPolicy", "setIamPolicy", "testIamPermissions", "lockRetentionPolicy"],
            "bucket_acl": changes,
            "default_object_acl": changes,
            "object_acl": changes,
            "notifications": ["list", "insert", "get", "delete"],
            "objects": changes + ["compose", "copy", "rewrite", "restore"],
            "hmacKey": ["create", "list", "get", "update", "delete"],
            "serviceaccount": ["get"],
        ]
        return Set(operations.flatMap { collection, names in names.map { "storage.\(collection).\($0)" } })
    }()
}
