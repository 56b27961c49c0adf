// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import HummingbirdCore
package import JSONWriting
package import Metering
package import ObjectStore
package import Wire

/// Cloud Storage over an object store: the Firebase v0 API, Google's JSON API, and the XML API.
package struct StorageServer: WireService {
    let store: SQLiteObjectStore
    let makeToken: @Sendable () -> String
    let faults: FaultInjector
    let export: Exporting?
    let exportGate: SameOriginGate?
    let clock: SQLiteObjectStore.Clock
    let signingKeys: SigningKeys
    let quota: (any QuotaGate)?

    package let meteredService = UsageAttribution.Service.storage
    package let repeatsAnswers = true
    package var bodyByteCountMax: Int64 {
        // A multipart body is an object plus its metadata part and its boundaries.
        store.configuration.objectByteCountMax + Int64(2 * MultipartRelatedParser.metadataByteCountMax)
    }

    /// Creates a server over a store.
    ///
    /// - Parameters:
    ///   - store: The objects.
    ///   - faults: Lets calls fail that ask for it.
    ///   - export: Writes the objects into a directory for `POST /internal/export`; `nil` where that is not offered.
    ///   - exportGate: Refuses exports to pages of other sites; `nil` refuses those with an origin only.
    ///   - clock: The time in microseconds since the Unix epoch, by which signed URLs and forms expire.
    ///   - signingKeys: The keys that signatures are judged by.
    ///   - quota: Tells what is refused for want of quota; `nil` where nothing is.
    ///   - makeToken: Makes download tokens; production's are random UUIDs.
    package init(
        store: SQLiteObjectStore,
        faults: FaultInjector = FaultInjector(),
        export: Exporting? = nil,
        exportGate: SameOriginGate? = nil,
        clock: @escaping SQLiteObjectStore.Clock,
        signingKeys: SigningKeys = SigningKeys(),
        quota: (any QuotaGate)? = nil,
        makeToken: @escaping @Sendable () -> String
    ) {
        self.store = store
        self.faults = faults
        self.export = export
        self.exportGate = exportGate
        self.clock = clock
        self.signingKeys = signingKeys
        self.quota = quota
        self.makeToken = makeToken
    }

    package func respond(to request: Request, exchange: Exchange) async -> Response {
        var response = await answer(request, exchange)
        response.headers.allowCrossOrigin(for: request)
        return response
    }

    package func refuseBody(exchange: Exchange) -> Response {
        exchange.attribute(to: UsageAttribution(service: .storage, operation: "storage.objects.insert"), billing: .free)
        return StorageFailure.tooLarge(limit: store.configuration.objectByteCountMax).response(in: .json)
    }

    package func errorBody(of refusal: HeadRefusal) -> JSONText {
        StorageFailure(status: refusal.status, message: refusal.message, reason: "badRequest").json
    }

    private func answer(_ request: Request, _ exchange: Exchange) async -> Response {
        guard let target = RequestTarget(request.head.path ?? "/") else {
            let path = (request.head.path ?? "/").prefix { $0 != "?" }
            return XMLRoute.claims(path)
                ? XMLFailure.invalidURI.response : StorageFailure.badRequest.response(in: .firebase)
        }
        let call = StorageCall(request: request, target: target, exchange: exchange, quota: quota)
        do {
            if request.method == .options {
                try call.attribute("storage.preflight", .free)
                return .preflight(for: request)
            }
            if let answer = try await answerFaultAPI(call) { return answer }
            if let answer = try await answerInternal(call) { return answer }
            if call.isBatch { return try await answerBatch(call) }
            if XMLRoute.claims(target.path) { return await answerXML(call) }
            var response = call.isFirebase ? try await answerFirebase(call) : try await answerJSON(call)
            response.addCommonFields(for: call)
            return response
        } catch {
            var response = StorageFailure(error).response(in: call.failureForm, as: call.form)
            response.addCommonFields(for: call)
            return response
        }
    }
}
