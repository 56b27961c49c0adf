// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import HummingbirdCore
package import JSON
package import Metering
package import ObjectStore
package import Wire

/// Cloud Storage over an object store: the Firebase v0 API, Google's JSON API, and the XML API.
///
///     Wire ──▶ StorageServer ─┬─▶ FirebaseAPI ─┐
///                             ├─▶ JSONAPI     ─┼─▶ StorageContext: store · quota · judge · faults · keys
///                             ├─▶ XMLAPI      ─┤        via ObjectUploads and ObjectDownloads
///                             └─▶ EmulatorAPI ─┘
package struct StorageServer: WireService {
    /// Writes all objects into a directory in the form of the official emulators' exports.
    package typealias Exporting = @Sendable (_ directory: String) async throws -> Void

    private let context: StorageContext
    private let export: Exporting?
    private let exportGate: SameOriginGate?
    private let rules: (any StorageRulesEndpoint)?

    package let meteredService = UsageAttribution.Service.storage
    package let repeatsAnswers = true
    package var bodyByteCountMax: Int64 {
        // A multipart body is an object plus its metadata part and its boundaries.
        context.store.configuration.objectByteCountMax + Int64(2 * MultipartRelatedParser.metadataByteCountMax)
    }

    /// Creates a server over a store.
    ///
    /// - Parameters:
    ///   - store: The objects.
    ///   - faults: Lets calls fail that ask for it.
    ///   - plannedFaults: The calls that are to fail without asking for it.
    ///   - export: Writes the objects into a directory for `POST /internal/export`; `nil` where that is not offered.
    ///   - exportGate: Refuses exports to pages of other sites; `nil` refuses those with an origin only.
    ///   - clock: The time in microseconds since the Unix epoch, by which signed URLs and forms expire.
    ///   - signingKeys: The keys that signatures are judged by.
    ///   - quota: Reports which items are used up; `nil` where no call is refused when a quota is used up.
    ///   - judge: Judges calls to the Firebase API, and may be replaced while they are made; every call is allowed while it is `nil`.
    ///   - rules: Takes new Security Rules; `nil` where that is not offered.
    ///   - projects: Takes the project of each call that has one.
    ///   - recording: While it is on, downloads note which object they answer with, and listings what they list.
    ///   - makeToken: Makes download tokens; production's are random UUIDs.
    package init(
        store: SQLiteObjectStore,
        faults: FaultInjector = FaultInjector(),
        plannedFaults: PlannedFaults = PlannedFaults(),
        export: Exporting? = nil,
        exportGate: SameOriginGate? = nil,
        clock: @escaping SQLiteObjectStore.Clock,
        signingKeys: SigningKeys = SigningKeys(),
        quota: (any QuotaGate)? = nil,
        judge: CurrentStorageJudge = CurrentStorageJudge(),
        rules: (any StorageRulesEndpoint)? = nil,
        projects: ProjectWatch? = nil,
        recording: RecordingSwitch = RecordingSwitch(),
        makeToken: @escaping @Sendable () -> String
    ) {
        context = StorageContext(
            store: store,
            faults: faults,
            plannedFaults: plannedFaults,
            quota: quota,
            judge: judge,
            projects: projects,
            recording: recording,
            clock: clock,
            signingKeys: signingKeys,
            makeToken: makeToken
        )
        self.export = export
        self.exportGate = exportGate
        self.rules = rules
    }

    package func respond(to request: Request, exchange: Exchange) async -> Response {
        guard let target = RequestTarget(request.head.path ?? "/") else { return refuseTarget(of: request) }
        let call = StorageCall(request: request, target: target, exchange: exchange)
        switch call.api {
        case .firebase: return await FirebaseAPI(context: context).respond(to: call)
        case .json: return await JSONAPI(context: context).respond(to: call)
        case .xml: return await XMLAPI(context: context).respond(to: call)
        case .emulator:
            let api = EmulatorAPI(context: context, export: export, exportGate: exportGate, rules: rules)
            return await api.respond(to: call)
        }
    }

    package func refuseBody(exchange: Exchange) -> Response {
        let upload = StorageOperation(StorageOperation.upload, .free, .service)
        exchange.attribute(to: upload.attribution, billing: .free)
        return StorageFailure.tooLarge(limit: context.store.configuration.objectByteCountMax).response(in: .json)
    }

    package func errorBody(of refusal: HeadRefusal) -> JSONText {
        StorageFailure(status: refusal.status, message: refusal.message, reason: "badRequest").json
    }

    /// Answers a request whose target cannot be decoded.
    private func refuseTarget(of request: Request) -> Response {
        let isXML = StorageAPIName(path: (request.head.path ?? "/").prefix { $0 != "?" }) == .xml
        var response = isXML ? XMLFailure.invalidURI.response : StorageFailure.badRequest.response(in: .firebase)
        response.headers.allowCrossOrigin(for: request)
        return response
    }
}
