// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore

/// The upload that the fields of a form describe.
struct FormUpload: Equatable {
    private static let fileNameVariable = "${filename}"
    private static let customPrefix = "x-goog-meta-"

    /// The answer that the form's page wants.
    enum Success: Equatable {
        case status(Int)
        case redirect(String)
    }

    let path: ObjectPath
    let attributes: ObjectAttributes
    let success: Success
    /// How many bytes the file may have.
    var byteCounts: ClosedRange<Int64> = 0...Int64.max

    /// The fields of Google's own that a form may have, besides custom metadata; others are refused, as by production.
    private static let googleFields: Set<String> = [
        "x-goog-algorithm", "x-goog-credential", "x-goog-custom-time", "x-goog-date", "x-goog-signature",
        "x-goog-storage-class",
    ]

    /// Reads the fields before the file and the file's own header.
    init(_ fields: FormFields, file: FormPartHeader, in bucket: BucketName) throws(XMLFailure) {
        for name in fields.names where name.hasPrefix("x-goog-") {
            guard name.hasPrefix(Self.customPrefix) || Self.googleFields.contains(name) else {
                throw .invalidArgument("The form has a field \(name) that means nothing.")
            }
        }
        guard let key = fields["key"] else { throw .invalidArgument("The form needs a field key before the file.") }
        guard let name = ObjectName(key.replacing(Self.fileNameVariable, with: file.fileName ?? "")) else {
            throw .invalidObjectName
        }
        path = ObjectPath(bucket: bucket, name: name)
        attributes = try Self.attributes(fields, file: file)
        success = try Self.success(fields)
    }

    private static func attributes(
        _ fields: FormFields,
        file: FormPartHeader
    ) throws(XMLFailure) -> ObjectAttributes {
        var attributes = ObjectAttributes(
            contentType: fields["content-type"] ?? file.contentType ?? ObjectAttributes.contentTypeDefault,
            contentEncoding: fields["content-encoding"],
            contentDisposition: fields["content-disposition"],
            contentLanguage: fields["content-language"],
            cacheControl: fields["cache-control"]
        )
        attributes.storageClass = fields["x-goog-storage-class"]
        if let text = fields["x-goog-custom-time"] {
            guard let time = RFC3339.microseconds(text) else {
                throw .invalidArgument("x-goog-custom-time must be a time of RFC 3339.")
            }
            attributes.customTime = time
        }
        var custom: [String: String] = [:]
        for name in fields.names where name.hasPrefix(customPrefix) {
            custom[String(name.dropFirst(customPrefix.count))] = fields[name]
        }
        attributes.setCustomMetadata(custom)
        attributes.dropIdentityEncoding()
        return attributes
    }

    /// A redirection counts more than a status; any status but 200 and 201 means 204.
    private static func success(_ fields: FormFields) throws(XMLFailure) -> Success {
        if let target = fields["success_action_redirect"], !target.isEmpty {
            guard HTTPField.isValidValue(target) else {
                throw .invalidArgument("success_action_redirect must be an address.")
            }
            return .redirect(target)
        }
        let status = fields["success_action_status"].flatMap(Int.init)
        return .status(status == 200 || status == 201 ? status ?? 204 : 204)
    }
}

/// The fields of a form before its file, by name without regard to case.
struct FormFields: Equatable {
    private var values: [String: String] = [:]

    /// The names in lower case, in order.
    var names: [String] { values.keys.sorted() }

    /// The value of a field, by its name in lower case.
    subscript(name: String) -> String? { values[name] }

    /// Adds a field; the last of a name counts.
    mutating func set(_ name: String, to value: String) {
        values[name.lowercased()] = value
    }
}
