// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import HummingbirdCore
package import JSON
package import MeterLedger
package import Metering
package import Wire

/// The console port: where the other services are, and what they have used.
///
/// |request|answer|
/// |---|---|
/// |`GET /`, by a browser|the page, see ``ConsolePage``; its calls are those of ``ConsoleAPI``|
/// |`GET /` or `GET /emulators`|the services' addresses, in the form of Firebase's emulator hub|
/// |`GET /api/config`|the project and the services' addresses, as Firebase's user interface asks for them|
/// |`GET /usage`|what was used in all, and the indexes that queries would need in production|
/// |`GET /usage`, with `by`, `since`, `tag`, `every`, …|what was used: in groups, since a mark, in time|
/// |`GET /usage/kernel`|what was recorded of connections that have ended, and what the kernel counted on them|
/// |`GET /usage/rules`|how often each rule was evaluated and held, what that took, and the reads that it caused|
/// |`GET /usage/functions`|how many events were sent to each function, failed, were sent again or were dropped|
/// |`GET /usage/events`|the same as server-sent events: now, and whenever it changes|
/// |`GET /metrics`|the same for Prometheus, by operation unless `by` names another dimension|
/// |`POST /usage/marks`|a mark of the present moment|
/// |`GET /quota`|how much of the profile's free amounts is used, and what the month has cost|
/// |`POST /quota/advance`, with `days`|the same, that many days later|
/// |`POST /_admin/export`|`OK` when the data are in the directory that the body names, as with Firebase's hub|
///
/// Pages of other sites in a browser of this machine are refused with 403, whatever they ask for, see ``SameOriginGate``.
package struct ConsoleServer: WireService {
    private let ledger: UsageLedger?
    let quota: QuotaTally?
    private let audit: KernelAudit
    private let missingIndexes: @Sendable () -> [ListedIndex]
    private let rules: @Sendable () -> JSONText
    private let functions: @Sendable () -> JSONText
    private let listeners: @Sendable () -> [ListeningService]
    private let export: ExportEndpoint
    private let interface: SuiteInterface?
    private let api: ConsoleAPI?
    private let gate: SameOriginGate
    private let clock: any Clock<Duration>

    /// Never recorded: the console is served without a sink.
    package let meteredService = UsageAttribution.Service.firestore
    /// No request of the console's own needs a larger body.
    private static let ownBodyByteCountMax: Int64 = 1 << 20
    package var bodyByteCountMax: Int64 { max(Self.ownBodyByteCountMax, api?.bodyByteCountMax ?? 0) }

    /// Creates a console.
    ///
    /// - Parameters:
    ///   - ledger: The usage to report; `nil` when nothing is metered.
    ///   - quota: What is used of the free amounts; `nil` when nothing is metered.
    ///   - audit: Holds what is recorded against what the kernel counted.
    ///   - missingIndexes: The indexes queries have needed and no one defined.
    ///   - rules: What Security Rules did.
    ///   - functions: The events that were sent to functions.
    ///   - export: Writes an export for `POST /_admin/export`; `nil` where there is nothing to export.
    ///   - interface: Firebase's user interface, and its configuration.
    ///   - api: The calls of the page; `nil` where there is no page.
    ///   - gate: Refuses pages of other sites; by default for a console on a loopback address.
    ///   - clock: Decides how long to wait before the usage is looked at again.
    ///   - listeners: Where the services listen.
    package init(
        ledger: UsageLedger?,
        quota: QuotaTally? = nil,
        audit: KernelAudit = KernelAudit(),
        missingIndexes: @escaping @Sendable () -> [ListedIndex] = { [] },
        rules: @escaping @Sendable () -> JSONText = { .object([("rules", .array([]))]) },
        functions: @escaping @Sendable () -> JSONText = { .object([("functions", .array([]))]) },
        export: ExportEndpoint.Exporting? = nil,
        interface: SuiteInterface? = nil,
        api: ConsoleAPI? = nil,
        gate: SameOriginGate = SameOriginGate(listeningOn: "localhost"),
        clock: any Clock<Duration> = ContinuousClock(),
        listeners: @escaping @Sendable () -> [ListeningService]
    ) {
        self.ledger = ledger
        self.quota = quota
        self.audit = audit
        self.missingIndexes = missingIndexes
        self.rules = rules
        self.functions = functions
        self.export = ExportEndpoint(export: export)
        self.interface = interface
        self.api = api
        self.gate = gate
        self.clock = clock
        self.listeners = listeners
    }

    package func respond(to request: Request, exchange: Exchange) async -> Response {
        do {
            return try await answer(request, exchange)
        } catch let failure as ConsoleFailure {
            return failure.response
        } catch {
            return ConsoleFailure.unexpected(error).response
        }
    }

    package func refuseBody(exchange: Exchange) -> Response {
        ConsoleFailure.bodyTooLarge(limit: bodyByteCountMax).response
    }

    package func errorBody(of refusal: HeadRefusal) -> JSONText {
        ConsoleFailure(status: refusal.status, message: refusal.message).body
    }

    private static let readPaths: Set<Substring> = [
        "/", "/emulators", "/metrics", "/quota", "/usage", "/usage/events", "/usage/functions", "/usage/kernel",
        "/usage/rules",
    ]
    private static let writtenPaths: Set<Substring> = ["/usage/marks", "/quota/advance", ExportEndpoint.path]

    private func answer(_ request: Request, _ exchange: Exchange) async throws -> Response {
        try requireSmallBody(request)
        guard let target = RequestTarget(request.head.path ?? "/") else { throw ConsoleFailure.brokenQuery }
        if let reason = gate.refusal(of: request.head) {
            guard target.path == ExportEndpoint.path else { throw ConsoleFailure.foreignPage(reason) }
            return .exportRefused(reason, of: request)
        }
        if target.path == "/", request.isForPage, let page = await page(for: request, target) { return page }
        if target.path.hasPrefix(ConsolePage.prefix), let api {
            let surroundings = ConsoleAPI.Surroundings(
                services: listeners(),
                firebaseInterface: interface?.isOnDisk == true,
                clock: clock,
                exchange: exchange
            )
            return try await api.answer(request, target, surroundings)
        }
        switch (request.method, target.path) {
        case (.get, "/api/config"):
            guard let interface else { throw ConsoleFailure.notFound }
            return .json(interface.configuration, isIndented: false)
        case (.get, "/"), (.get, "/emulators"): return .json(.object(ListeningService.map(listeners())))
        case (.get, "/usage"): return try await usage(UsageQuery(target, pricedBy: quota?.profile))
        case (.get, "/usage/events"): return try await events(UsageQuery(target, pricedBy: quota?.profile))
        case (.get, "/usage/kernel"): return try await kernelSums()
        case (.get, "/usage/rules"): return .json(rules())
        case (.get, "/usage/functions"): return .json(functions())
        case (.get, "/metrics"): return try await metrics(UsageQuery(target, pricedBy: quota?.profile))
        case (.post, "/usage/marks"): return try await mark()
        case (.get, "/quota"): return try await quotaStatus()
        case (.post, "/quota/advance"): return try await advanceQuota(target)
        case (.post, ExportEndpoint.path):
            return await export.answer(request, bodyByteCountMax: Self.ownBodyByteCountMax)
        case (_, let path) where Self.readPaths.contains(path): throw ConsoleFailure.methodNotAllowed(but: .get)
        case (_, let path) where Self.writtenPaths.contains(path): throw ConsoleFailure.methodNotAllowed(but: .post)
        case (.get, let path):
            guard let file = await interface?.file(at: String(path)) else { throw ConsoleFailure.notFound }
            return file
        default: throw ConsoleFailure.notFound
        }
    }

    /// Refuses a declared body that only data may have, which are behind the calls of the page.
    private func requireSmallBody(_ request: Request) throws(ConsoleFailure) {
        guard request.head.path?.hasPrefix(ConsolePage.prefix) != true,
            let declared = request.headers[.contentLength].flatMap(Int64.init), declared > Self.ownBodyByteCountMax
        else { return }
        throw .bodyTooLarge(limit: Self.ownBodyByteCountMax)
    }

    /// The page, or where it is asked for and on the disk, Firebase's.
    private func page(for request: Request, _ target: RequestTarget) async -> Response? {
        if api == nil || target[SuiteInterface.parameter] == SuiteInterface.parameterValue,
            let page = await interface?.file(at: "/index.html")
        {
            return page
        }
        return api.map { _ in ConsolePage.page(for: request) }
    }

    private func usage(_ query: UsageQuery) async throws -> Response {
        let report = try await reading { try $0.report(query.question) }
        switch query.format {
        case .json:
            let members = report.members + (query.isWhole ? [("missingIndexes", missingIndexList)] : [])
            return .json(.object(members), isIndented: false)
        case .csv:
            return .text(report.csv, contentType: "text/csv; charset=UTF-8")
        }
    }

    private func events(_ query: UsageQuery) async throws -> Response {
        // A question that has no answer is refused, not answered with no events.
        _ = try await reading { try $0.report(query.question) }
        return .events(UsageEvents(clock: clock) { try await reading { try $0.report(query.question) } })
    }

    private func kernelSums() async throws -> Response {
        guard ledger != nil else { throw ConsoleFailure.notMetered }
        try await WireServer.settleExchanges()
        let sums = audit.sums
        func counts(_ kernel: Int64, recorded: Int64) -> JSONText {
            .object([("kernel", .integer(kernel)), ("recorded", .integer(recorded))])
        }
        let answer: [(String, JSONText)] = [
            ("connections", .integer(sums.connections)),
            ("received", counts(sums.kernelReceived, recorded: sums.recordedReceived)),
            ("sent", counts(sums.kernelSent, recorded: sums.recordedSent)),
            ("difference", .integer(sums.difference)),
        ]
        return .json(.object(answer), isIndented: false)
    }

    private func metrics(_ query: UsageQuery) async throws -> Response {
        var question = query.question
        question.grouping = question.grouping ?? UsageQuestion.Grouping(by: .operation)
        let text = try await reading { [question] in try $0.report(question).prometheus }
        return .text(text, contentType: "text/plain; version=0.0.4; charset=utf-8")
    }

    private var missingIndexList: JSONText {
        .array(missingIndexes().map(\.json))
    }

    private func mark() async throws -> Response {
        let mark = try await reading { try $0.mark() }
        // A download that ends just now may be before the mark for the ledger, and behind it here.
        api?.begin(mark)
        return .json(.object([("mark", .string(mark.description))]), isIndented: false)
    }

    /// Asks the ledger, once it has heard of every exchange whose end a client can have seen.
    private func reading<Value: Sendable>(
        _ read: @escaping @Sendable (UsageLedger) throws -> Value
    ) async throws -> Value {
        guard let ledger else { throw ConsoleFailure.notMetered }
        try await WireServer.settleExchanges()
        do {
            return try await blockingWork { try read(ledger) }
        } catch let error as UsageLedgerError where [.lateMark, .unknownMark].contains(error.code) {
            throw ConsoleFailure.badMark(error)
        }
    }
}

extension Request {
    /// Whether a browser asks for something to show, not a program for data.
    fileprivate var isForPage: Bool { method == .get && headers[.accept]?.contains("text/html") == true }
}
