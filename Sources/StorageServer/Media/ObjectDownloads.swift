// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import NIOCore
import ObjectStore
import Wire

/// Answers with the bytes of objects, for all three APIs.
struct ObjectDownloads: Sendable {
    let context: StorageContext

    /// Opens an object; `nil` when there is none.
    func open(_ path: ObjectPath) async throws -> ObjectReader? {
        try await blockingWork { [store = context.store] in try store.open(path) }
    }

    /// Answers with the bytes of an object, some of them, or that the client has them already.
    ///
    /// The header fields of `overrides` are said instead of the object's own.
    func media(
        _ reader: ObjectReader,
        for call: StorageCall,
        in form: MediaForm,
        overriding overrides: HTTPFields = [:]
    ) async throws -> Response {
        // Before the judge is asked for, so that one put in force right after it is noticed.
        let version = context.judge.version
        let recordingVersion = context.recording.version
        // The URL's own `Expires` might be taken for the time of the answer.
        if let stamp = reader.stamp, mayBeAnsweredAlike(call), overrides[.expires] == nil {
            call.exchange.mayRepeat {
                [
                    judge = context.judge, quota = context.quota, items = call.operation.operationClass.items,
                    recording = context.recording, faults = context.plannedFaults
                ] in
                stamp.isCurrent && quota?.isOver(items) != true && judge.version == version
                    && recording.version == recordingVersion && faults.isEmpty
            }
        }
        let request = call.request
        let object = reader.metadata
        if context.recording.isOn { call.exchange.describe(by: ServedObject(object)) }
        if form.isKnown(object, to: request.headers) {
            return Response(status: .notModified, headers: form.validators(of: object))
        }
        var fields = form.fields(of: object)
        for field in overrides { fields[field.name] = field.value }
        if let answer = try await gunzippedMedia(reader, stored: fields, for: request) { return answer }
        if request.method == .head { return .head(fields, objectByteCount: object.byteCount) }
        switch ByteRange(header: form.currentRange(of: object, request: request), objectByteCount: object.byteCount) {
        case .whole:
            return Response(status: .ok, headers: fields, body: try await reader.body(0..<object.byteCount))
        case .part(let range):
            fields = form.partFields(fields, contentRange: range.contentRange(of: object.byteCount))
            return Response(status: .partialContent, headers: fields, body: try await reader.body(range))
        case .parts(let ranges):
            let contentType = fields[.contentType] ?? object.attributes.contentType
            let answer = MultipartRanges(ranges, of: object.byteCount, contentType: contentType)
            fields[.contentType] = answer.contentType
            return Response(status: .partialContent, headers: fields, body: reader.body(answer))
        case .nothing:
            return form.nothing(of: object, whole: fields)
        case .unsatisfiable:
            return form.rangeNotSatisfiable(request.headers[.range], of: object, whole: fields)
        }
    }

    /// Whether nothing but its head and the object decides on the answer: no judge whose verdict may change, no plan to
    /// fail, and no time that runs out.
    private func mayBeAnsweredAlike(_ call: StorageCall) -> Bool {
        context.judge(of: call) == nil && call.request.method == .get && !call.isSigned
            && FaultRequest(call.request.headers) == nil
    }
}

extension MediaForm {
    /// Whether the client says that it has this version (RFC 9110 section 13.2.2).
    fileprivate func isKnown(_ object: ObjectMetadata, to fields: HTTPFields) -> Bool {
        if let tags = fields[.ifNoneMatch] { return EntityTags(tags).contains(entityTag(of: object)) }
        // Compared as text: a client repeats the date it was given.
        return fields[.ifModifiedSince].map { $0 == validators(of: object)[.lastModified] } ?? false
    }

    /// The `Range` header, unless `If-Range` binds it to another version.
    ///
    /// Compared as text, which is strong: a weak tag begins with `W/` and never equals (RFC 9110 section 13.1.5). The
    /// JSON API's bare tag is also taken in quotes, which clients must put around tags.
    fileprivate func currentRange(of object: ObjectMetadata, request: Request) -> String? {
        guard let version = request.headers[.ifRange] else { return request.headers[.range] }
        let tag = entityTag(of: object)
        let known = [tag, "\"\(tag)\"", validators(of: object)[.lastModified]]
        return known.contains(version) ? request.headers[.range] : nil
    }
}

extension Response {
    /// The answer to HEAD: the length without the bytes.
    ///
    /// `Range` means something to GET only (RFC 9110 section 14.2).
    fileprivate static func head(_ fields: HTTPFields, objectByteCount: Int64) -> Response {
        Response(
            status: .ok,
            headers: fields,
            body: ResponseBody(contentLength: Int(objectByteCount)) { try await $0.finish(nil) }
        )
    }
}
