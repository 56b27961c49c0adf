// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// What the JSON API refuses, in production's words.
extension StorageFailure {
    static let preconditionFailed = Self(
        status: 412,
        message: "At least one of the pre-conditions you specified did not hold.",
        reason: "conditionNotMet"
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

    static let invalidObjectName = invalid(
        "Invalid object name: it must be 1 to \(ObjectName.byteCountMax) bytes of UTF-8 without line breaks,"
            + " and not '.' or '..'."
    )

    static let unknownOperation = notImplemented("this operation of the JSON API yet")

    static func noSuchObject(_ path: ObjectPath) -> Self {
        Self(status: 404, message: "No such object: \(path)", reason: "notFound")
    }

    static func notANumber(_ parameter: String) -> Self {
        invalid("The parameter \(parameter) must be a whole number that is not negative.")
    }
}
