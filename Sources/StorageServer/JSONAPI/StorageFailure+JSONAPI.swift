// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// The JSON API's refusals, in production's words.
extension StorageFailure {
    static let preconditionFailed = Self(
        status: 412,
        message: "At least one of the pre-conditions you specified did not hold.",
        reason: "conditionNotMet",
        location: .header("If-Match")
    )

    /// A session of a resumable upload that was never begun, is over, or was taken over by a later request.
    static let uploadGone = Self(
        status: 410,
        message: "The requested upload session is no longer active; begin a new one.",
        reason: "gone"
    )

    static let noSuchUpload = Self(
        status: 404,
        message: "There is no upload session of this upload_id; begin a new one.",
        reason: "notFound"
    )

    static let bucketExists = Self(
        status: 409,
        message: "Your previous request to create the named bucket succeeded and you already own it.",
        reason: "conflict"
    )

    static let bucketNotEmpty = Self(
        status: 409,
        message: "The bucket you tried to delete is not empty.",
        reason: "conflict"
    )

    static let noSuchBucket = Self(status: 404, message: "The specified bucket does not exist.", reason: "notFound")

    static let invalidBucketName = invalid("Invalid bucket name: use lower-case letters, digits, '.', '-' and '_'.")

    /// The texts recorded from production in 2026; long names are cut there as here.
    static func invalidObjectName(_ name: String) -> Self {
        guard !name.isEmpty else { return required("name") }
        var failure = invalid(wordsAboutImpossibleName(name))
        failure.uploadServerForm = .upload
        return failure
    }

    private static func wordsAboutImpossibleName(_ name: String) -> String {
        guard name.utf8.count > ObjectName.byteCountMax else {
            return "Disallowed unicode characters present in object name '\(name)'"
        }
        let start = String(decoding: name.utf8.prefix(77), as: UTF8.self)
        return "The maximum object length is \(ObjectName.byteCountMax) characters, but got a name with"
            + " \(name.count) characters: '\(start)...'"
    }

    static let brokenEscape = invalid("The path holds a broken escape.")

    /// A path that is none of the API's.
    static let unknownPath = Self(status: 404, message: "Not Found", reason: "notFound")

    static func noSuchObject(_ path: ObjectPath) -> Self {
        noSuchObject(path.description)
    }

    static func noSuchObject(_ path: String) -> Self {
        Self(status: 404, message: "No such object: \(path)", reason: "notFound")
    }

    /// As recorded from production in 2026.
    static func notANumber(_ text: String, parameter: String) -> Self {
        Self(
            status: 400,
            message: "Invalid long value: '\(text)'.",
            reason: "invalidParameter",
            location: .parameter(parameter)
        )
    }

    /// A missing parameter or member.
    static func required(_ what: String) -> Self {
        Self(status: 400, message: "Required parameter: \(what)", reason: "required", location: .parameter(what))
    }
}
