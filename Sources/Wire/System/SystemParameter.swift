// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A query parameter that Google's front end takes on every call, whatever the API: a "system parameter".
///
/// Sources: https://cloud.google.com/apis/docs/system-parameters (2026-11), the `parameters` of Google's discovery
/// documents, and for all spellings the front end's own list (`constants.cc` of grpc-ecosystem/proto-processing-lib,
/// 2024). Left out, and so parameters like any other, are those that carry a part of the request or change its meaning:
/// `$httpMethod`, `$httpHeaders`, `$req` and `$outputDefaults`.
package enum SystemParameter: Hashable, Sendable {
    /// The format of the answer.
    case alt
    /// The function to which a script passes the answer.
    case callback
    /// A token, in place of the header `Authorization`.
    case credential
    /// The form of errors.
    case errorFormat
    /// The members of the answer that are wanted.
    case fields
    /// Whether the answer is broken into lines.
    case prettyPrint
    /// The protocol of an upload.
    case uploadType
    /// Keys, quotas, traces and the like, which change no answer here.
    case other

    /// Returns `nil` for a parameter that belongs to the API itself.
    package init?(name: String) {
        guard let parameter = Self.named[name] else { return nil }
        self = parameter
    }

    private static let named: [String: Self] = [
        "$alt": .alt, "alt": .alt,
        "$callback": .callback, "callback": .callback,
        "access_token": .credential, "bearer_token": .credential, "oauth_token": .credential,
        "$.xgafv": .errorFormat, "$apiFormat": .errorFormat, ".xgafv": .errorFormat,
        "$fields": .fields, "fields": .fields,
        "$pp": .prettyPrint, "$prettyPrint": .prettyPrint, "$prettyprint": .prettyPrint,
        "pp": .prettyPrint, "prettyPrint": .prettyPrint, "prettyprint": .prettyPrint,
        "uploadType": .uploadType, "upload_type": .uploadType,
        "$apiVersion": .other, "$ct": .other, "$key": .other, "$quotaUser": .other, "$trace": .other,
        "$unique": .other, "$upload_protocol": .other, "$userIp": .other, "$userProject": .other,
        "$visibilities": .other, "google_cloud_resource_prefix": .other, "key": .other, "quotaUser": .other,
        "trace": .other, "upload_protocol": .other, "userIp": .other, "userProject": .other, "xoauth": .other,
        "zx": .other,
    ]
}

extension RequestTarget {
    /// The first value of a system parameter, under any of its names.
    package subscript(parameter: SystemParameter) -> String? {
        query.first { SystemParameter(name: $0.name) == parameter }?.value
    }

    /// Whether the content of a resource is wanted rather than its description.
    package var asksForMedia: Bool { AlternativeFormat(self[.alt]).name == "media" }
}

/// The value of the parameter `alt`: a format, and how it writes what it can write in several ways.
///
/// `json;enum-encoding=int` is how Google's REST transports ask for numbers in place of the names of enumerations
/// (googleapis/gax-nodejs and sdk-platform-java, 2026-11).
package struct AlternativeFormat: Equatable, Sendable {
    /// `json`, `media` and so on.
    package let name: String
    package let enumsAreIntegers: Bool

    /// Without a value, or with an empty one, the format is JSON.
    package init(_ text: String?) {
        let parts = (text ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        name = parts.first.map(String.init) ?? "json"
        enumsAreIntegers = parts.dropFirst().contains("enum-encoding=int")
    }
}
