// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import Metering
import ObjectStore
import Wire

/// A request on its way to its answer.
struct StorageCall: Sendable {
    let request: Request
    let target: RequestTarget
    let exchange: Exchange
    /// Tells what is refused for want of quota; `nil` where nothing is.
    var quota: (any QuotaGate)?

    /// Whether the request goes to the Firebase v0 API; all others go to Google's JSON API.
    var isFirebase: Bool { target.path == "/v0" || target.path.hasPrefix("/v0/") }

    /// Whether the request goes to where the JSON API takes uploads; gcloud has an address of its own for resumable ones.
    private var isUpload: Bool { ["/upload/", "/resumable/upload/"].contains(where: target.path.hasPrefix) }

    /// The method meant: clients behind proxies that know no PATCH send it as an override (the Firebase SDKs' habit).
    var method: HTTPRequest.Method {
        let mayOverride = request.method == .post || request.method == .put
        return mayOverride && self["X-HTTP-Method-Override"]?.uppercased() == "PATCH" ? .patch : request.method
    }

    /// The form in which this request wants to hear of a failure.
    var failureForm: StorageFailure.Form {
        if isFirebase { return .firebase }
        if isUpload { return .upload }
        return target.asksForMedia || target.path.hasPrefix("/download/") ? .text : .json
    }

    /// The value of a header field, by a name that the HTTP library does not know.
    subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    /// Renders JSON as the client wants it, and as much of it.
    func json(_ json: JSONText) -> Response {
        let form = self.form
        return .json(json.selecting(form.fields), in: form)
    }

    /// Tells the meter what the request is about; refuses it where production would for want of quota.
    func attribute(
        _ operation: String,
        _ operationClass: StorageOperationClass,
        bucket: BucketName? = nil,
        path: ObjectPath? = nil
    ) throws(StorageFailure) {
        var attribution = UsageAttribution(service: .storage, operation: operation)
        attribution.bucket = (bucket ?? path?.bucket)?.description
        attribution.object = path?.name.description
        attribution.image = path.flatMap { FeedImagePath(objectName: $0.name.description) }
        let charged = continuesUpload(operation) ? StorageOperationClass.free : operationClass
        exchange.attribute(to: attribution, billing: .storage(charged))
        if quota?.isOver(charged.items) == true { throw .quotaExceeded }
    }

    /// Whether this goes on with a resumable upload, which was charged when it began.
    private func continuesUpload(_ operation: String) -> Bool {
        operation == "storage.objects.insert" && target["upload_id"] != nil
    }
}
