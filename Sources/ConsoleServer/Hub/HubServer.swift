// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import HummingbirdCore
package import JSON
package import Metering
package import Wire

/// The emulator hub: where tools of Firebase find the services, and ask for exports.
///
/// |request|answer|
/// |---|---|
/// |`GET /`|the hub's version, origins and process, as its locator file has them|
/// |`GET /emulators`|the services' addresses|
/// |`POST /_admin/export`|`OK` when the data are in the directory that the body names|
/// |`PUT /functions/disableBackgroundTriggers`, `enableBackgroundTriggers`|whether changes of data call functions from now on|
///
/// Pages of other sites in a browser of this machine are refused with 403. Source: firebase-tools 15.28.1,
/// `src/emulator/hub.ts`.
package struct HubServer: WireService {
    /// Says from now on whether changes of data call functions.
    package typealias TriggerSwitch = @Sendable (_ isOn: Bool) -> Void

    private let locator: @Sendable () -> HubLocator
    private let services: @Sendable () -> [ListeningService]
    private let export: ExportEndpoint
    private let triggers: TriggerSwitch?
    private let gate: SameOriginGate

    /// Never recorded: the hub is served without a sink.
    package let meteredService = UsageAttribution.Service.firestore
    /// No request of the hub needs a larger body.
    package let bodyByteCountMax: Int64 = 1 << 20

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - locator: How others find it.
    ///   - services: Where the services listen.
    ///   - export: Writes an export; `nil` where there is nothing to export.
    ///   - triggers: Switches functions on and off; `nil` where none are called.
    ///   - gate: Refuses pages of other sites.
    package init(
        locator: @escaping @Sendable () -> HubLocator,
        services: @escaping @Sendable () -> [ListeningService],
        export: ExportEndpoint.Exporting?,
        triggers: TriggerSwitch?,
        gate: SameOriginGate
    ) {
        (self.locator, self.services, self.triggers, self.gate) = (locator, services, triggers, gate)
        self.export = ExportEndpoint(export: export)
    }

    package func respond(to request: Request, exchange: Exchange) async -> Response {
        do throws(ConsoleFailure) {
            return try await answer(request)
        } catch {
            return error.response
        }
    }

    package func refuseBody(exchange: Exchange) -> Response {
        ConsoleFailure.bodyTooLarge(limit: bodyByteCountMax).response
    }

    package func errorBody(of refusal: HeadRefusal) -> JSONText {
        ConsoleFailure(status: refusal.status, message: refusal.message).body
    }

    private func answer(_ request: Request) async throws(ConsoleFailure) -> Response {
        guard let target = RequestTarget(request.head.path ?? "/") else { throw .brokenQuery }
        if let reason = gate.refusal(of: request.head) {
            guard target.path == ExportEndpoint.path else { throw .foreignPage(reason) }
            return .exportRefused(reason, of: request)
        }
        switch (request.method, target.path) {
        case (.get, "/"): return .json(.object(locator().members), isIndented: false)
        case (.get, "/emulators"): return .json(.object(ListeningService.map(services())), isIndented: false)
        case (.post, ExportEndpoint.path): return await export.answer(request, bodyByteCountMax: bodyByteCountMax)
        case (.put, "/functions/disableBackgroundTriggers"): return switchTriggers(on: false)
        case (.put, "/functions/enableBackgroundTriggers"): return switchTriggers(on: true)
        default: throw ConsoleFailure(status: 404, message: "Not Found")
        }
    }

    private func switchTriggers(on isOn: Bool) -> Response {
        guard let triggers else {
            let message = "The Cloud Functions emulator is not running."
            return .json(.object([("error", .string(message))]), status: 400, isIndented: false)
        }
        triggers(isOn)
        return .json(.object([("enabled", .boolean(isOn))]), isIndented: false)
    }
}
