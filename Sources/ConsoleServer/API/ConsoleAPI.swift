// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import MeterLedger
package import Metering
import NIOCore
import Wire

/// The calls below `/console/`, of which the page is made; docs/console.md lists them.
///
/// What changes something needs the token that ``state`` has: a page of another origin cannot read it.
package struct ConsoleAPI: Sendable {
    /// The facts about the emulator that the page shows.
    package struct About: Sendable {
        let version: String
        let project: String
        let profile: PriceProfile

        /// Creates facts.
        package init(version: String, project: String, profile: PriceProfile) {
            (self.version, self.project, self.profile) = (version, project, profile)
        }
    }

    private static let pageLimit = 1_000
    private static let trialByteCountMax = 1 << 20

    private let about: About
    private let token = PageToken()
    private let requests: RequestLog?
    private let repeated: RepeatedDownloads
    private let session: RecordedSession
    private let rules: any RulesCalls
    private let prices: UnitPrices
    private let whole: DataEndpoint
    private let conditions: ConditionsEndpoint
    private let indexes: @Sendable () -> (missing: [ListedIndex], defined: [ListedIndex])
    private let data: DataMounts

    /// Creates the calls.
    ///
    /// - Parameters:
    ///   - about: The facts about the emulator.
    ///   - requests: The last requests; `nil` when nothing is metered.
    ///   - repeated: The objects that users download again.
    ///   - recordings: The session that is recorded.
    ///   - audit: Audits that session; `nil` where the program cannot.
    ///   - rules: Security Rules.
    ///   - whole: All data as a whole.
    ///   - conditions: Faults, and the network.
    ///   - indexes: The indexes of Firestore that are missing, and those that are defined.
    ///   - data: The services' own APIs.
    package init(
        _ about: About,
        requests: RequestLog?,
        repeated: RepeatedDownloads,
        recordings: any SessionRecordings,
        audit: SessionAuditing?,
        rules: any RulesCalls,
        whole: any DataCalls,
        conditions: ConditionsEndpoint,
        indexes: @escaping @Sendable () -> (missing: [ListedIndex], defined: [ListedIndex]),
        data: DataMounts
    ) {
        (self.about, self.requests, self.repeated) = (about, requests, repeated)
        (self.rules, self.whole, self.data) = (rules, DataEndpoint(calls: whole), data)
        (self.conditions, self.indexes) = (conditions, indexes)
        session = RecordedSession(recordings, audit: audit)
        prices = UnitPrices(about.profile)
    }

    /// The largest body that a call takes, in bytes.
    var bodyByteCountMax: Int64 { data.bodyByteCountMax }

    /// Answers a request below `/console/`.
    func answer(
        _ request: Request,
        _ target: RequestTarget,
        _ surroundings: Surroundings
    ) async throws -> Response {
        let path = target.path.dropFirst(ConsolePage.prefix.count)
        guard token.admits(request) else { throw ConsoleFailure.noToken }
        let answer =
            switch request.method {
            case .get: try await read(path, request, target, surroundings)
            case .post where path == "rules/trial": try await trial(request)
            case .post where path.hasPrefix("recording/"): try await changeRecording(path.dropFirst("recording/".count))
            default: nil as Response?
            }
        if let answer { return answer }
        if let answer = try await whole.answer(request, at: path) { return answer }
        if let answer = try await conditions.answer(request, at: path) { return answer }
        let passed = (request.head.path ?? "").dropFirst(ConsolePage.prefix.count)
        guard let answer = await data.answer(request, at: passed, surroundings.exchange) else {
            throw ConsoleFailure.notFound
        }
        return answer
    }

    /// Answers what changes nothing; `nil` for other paths.
    private func read(
        _ path: Substring,
        _ request: Request,
        _ target: RequestTarget,
        _ surroundings: Surroundings
    ) async throws -> Response? {
        switch path {
        case "state": state(surroundings)
        case "requests": try await page(of: try log(), target)
        case "requests/events": .events(try events(of: try log(), target, surroundings.clock))
        case "waste": try await waste(target)
        case "recording": try await session.status()
        case "session.log": try await session.log()
        case "what-if": try await session.report(target, as: .json, in: surroundings.exchange)
        case "report": try await session.report(target, as: .html, in: surroundings.exchange)
        case "indexes": .json(indexLists, isIndented: false)
        case "rules": .json(rules.sources(), isIndented: false)
        case "rules/requests": .text(rules.lastRequests(), contentType: "application/json; charset=UTF-8")
        default: ConsolePage.file(named: path, for: request)
        }
    }

    private var indexLists: JSONText {
        let lists = indexes()
        return .object([
            ("missing", .array(lists.missing.map(\.json))), ("defined", .array(lists.defined.map(\.json))),
        ])
    }

    /// The knowledge of the console besides.
    struct Surroundings {
        let services: [ListeningService]
        let firebaseInterface: Bool
        let clock: any Clock<Duration>
        let exchange: Exchange
    }

    private func state(_ surroundings: Surroundings) -> Response {
        let profile: [(String, JSONText)] = [
            ("name", .string(about.profile.name)), ("asOf", .string(about.profile.asOf)),
        ]
        let state: [(String, JSONText?)] = [
            ("version", .string(about.version)), ("project", .string(about.project)), ("profile", .object(profile)),
            ("isMetered", .boolean(requests != nil)),
            ("faults", .integer(Int64(conditions.faults.all.count))),
            ("isThrottled", .boolean(!conditions.link.conditions.isDirect)),
            ("services", .object(ListeningService.map(surroundings.services))),
            ("firebaseInterface", surroundings.firebaseInterface ? .string(SuiteInterface.path) : nil),
            ("token", .string(token.text)),
        ]
        var answer = Response.json(.object(compacting: state), isIndented: false)
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    private func log() throws(ConsoleFailure) -> RequestLog {
        guard let requests else { throw .notMetered }
        return requests
    }

    private func page(of log: RequestLog, _ target: RequestTarget) async throws -> Response {
        let limit = try target.number("limit", upTo: Int64(Self.pageLimit)) ?? Int64(Self.pageLimit)
        let number = try target.number("after", upTo: .max) ?? 0
        try await WireServer.settleExchanges()
        let json = log.page(after: number, limit: Int(limit), .oldest).json(pricedBy: prices)
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json))
        )
    }

    private func waste(_ target: RequestTarget) async throws -> Response {
        _ = try log()
        let limit = try target.number("limit", upTo: Int64(Self.pageLimit)) ?? 20
        let mark = try UsageQuery.mark(target["since"])
        try await WireServer.settleExchanges()
        guard let tally = repeated.tally(since: mark) else { throw ConsoleFailure.forgottenMark }
        return .json(tally.summary(limit: Int(limit)).json, isIndented: false)
    }

    /// Counts repeated downloads since a mark of the meter, too.
    func begin(_ mark: UsageMark) { repeated.begin(mark) }

    private func changeRecording(_ action: Substring) async throws -> Response {
        _ = try log()
        return try await session.change(action)
    }

    private func trial(_ request: Request) async throws -> Response {
        let memory = ByteReservation(of: .process)
        defer { memory.giveBack() }
        guard let body = try? await request.wholeBody(upTo: Self.trialByteCountMax, in: memory),
            let question = try? JSONValue(parsing: Array(body.readableBytesView))
        else { throw ConsoleFailure.badTrial }
        do {
            return .json(try await rules.trial(question), isIndented: false)
        } catch let refusal as TrialRefusal {
            throw ConsoleFailure(status: 422, message: refusal.message)
        }
    }

    private func events(
        of log: RequestLog,
        _ target: RequestTarget,
        _ clock: any Clock<Duration>
    ) throws(ConsoleFailure) -> RequestEvents {
        let number = try target.number("after", upTo: .max) ?? 0
        return RequestEvents(of: log, after: number, pricedBy: prices, clock: clock)
    }
}

extension RequestTarget {
    /// A parameter that is a number from 0 on; `nil` without it.
    func number(_ name: String, upTo most: Int64) throws(ConsoleFailure) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text), (0...most).contains(number) else { throw .badNumber(name, text) }
        return number
    }
}

extension ConsoleFailure {
    fileprivate static let noToken = Self(
        status: 403,
        message: "Forbidden: calls that change something need the X-Firemeter-Token that GET /console/state has."
    )

    fileprivate static let badTrial = Self(status: 400, message: "The body must be JSON of at most 1 MiB.")

    fileprivate static func badNumber(_ name: String, _ text: String) -> Self {
        Self(status: 400, message: "The parameter '\(name)' cannot be '\(text)'; it is a number from 0 on.")
    }
}
