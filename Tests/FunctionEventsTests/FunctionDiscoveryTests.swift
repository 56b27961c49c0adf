// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOConcurrencyHelpers
import Testing

@testable import FunctionEvents

/// A Functions emulator that answers as it is asked to, one look after the other; when it has no more to say, looking ends.
final class ListingAnswers: FunctionsCalling {
    enum Look: Sendable {
        case listing(String)
        case status(Int)
        case failing(EventPostError)
    }

    private struct State {
        var looks: [Look]
        var keys: Result<String, EventPostError>
        var asked: [String] = []
    }

    private let state: NIOLockedValueBox<State>

    init(_ looks: [Look], keys: Result<String, EventPostError> = .success("")) {
        state = NIOLockedValueBox(State(looks: looks, keys: keys))
    }

    var isEnded: Bool { state.withLockedValue { $0.looks.isEmpty } }
    /// The calls for keys.
    var askedForKeys: [String] { state.withLockedValue { $0.asked.filter { $0.hasPrefix("POST") } } }

    func call(
        _ method: String,
        _ url: String
    ) async throws(EventPostError) -> (status: Int, body: [UInt8]) {
        let (look, keys) = state.withLockedValue { state in
            state.asked.append("\(method) \(url)")
            let look = method == "GET" && !state.looks.isEmpty ? state.looks.removeFirst() : nil
            return (look, state.keys)
        }
        switch look {
        case .listing(let text): return (200, Array(text.utf8))
        case .status(let status): return (status, [])
        case .failing(let error): throw error
        case nil: return (404, Array(try keys.get().utf8))
        }
    }
}

/// Parts of a listing, as firebase-tools 15.28.1 writes it.
enum Listing {
    static let source =
        #""labels":{"EVENTARC_CLOUD_EVENT_SOURCE":"run-emulated.googleapis.com/projects/demo/locations/x"}"#

    static func of(_ functions: String...) -> String {
        #"{"backends":[{"directory":"/f","env":{},"functionTriggers":[\#(functions.joined(separator: ","))]}]}"#
    }

    static func first(_ name: String, event: String = "write", project: String = "demo") -> String {
        """
        {"entryPoint":"\(name)","platform":"gcfv1","region":"us-central1","name":"\(name)","id":"us-central1-\(name)",\
        "eventTrigger":{"eventType":"providers/cloud.firestore/eventTypes/document.\(event)",\
        "resource":"projects/\(project)/databases/(default)/documents/notes/{note}"}}
        """
    }

    static func second(_ name: String, exactly path: String? = nil, type: String = "written") -> String {
        let (exact, pattern) = (
            path.map { #","document":"\#($0)""# } ?? "", path == nil ? #""document":"notes/{n}""# : ""
        )
        return """
            {"platform":"gcfv2","region":"europe-west1","name":"\(name)",\(source),\
            "eventTrigger":{"eventType":"google.cloud.firestore.document.v1.\(type)",\
            "eventFilters":{"database":"(default)","namespace":"(default)"\(exact)},\
            "eventFilterPathPatterns":{\(pattern)}}}
            """
    }

    static func deciding(_ name: String, _ event: String, options: String = "{}") -> String {
        """
        {"platform":"gcfv2","region":"us-central1","name":"\(name)",\(source),\
        "blockingTrigger":{"eventType":"providers/cloud.auth/eventTypes/user.\(event)","options":\(options)}}
        """
    }

    static let others = """
        {"platform":"gcfv2","region":"us-central1","name":"hello",\(source),"httpsTrigger":{}},\
        {"platform":"gcfv1","region":"us-central1","name":"cron","eventTrigger":{"eventType":"pubsub","resource":""}},\
        {"platform":"gcfv2","region":"us-central1","name":"file",\(source),"eventTrigger":\
        {"eventType":"google.cloud.storage.object.v1.finalized","resource":"projects/_/buckets/b"}}
        """
}

@Suite(.timeLimit(.minutes(10)))
struct `Functions that are found` {
    private func looked(_ answers: ListingAnswers) async throws -> (Harness, [FoundFunctions]) {
        let harness = try Harness(project: "demo") { answers.isEnded }
        let found = NIOLockedValueBox<[FoundFunctions]>([])
        let discovery = try #require(
            FunctionDiscovery(for: harness.events, caller: answers) { functions in
                found.withLockedValue { $0.append(functions) }
            }
        )
        await discovery.run()
        return (harness, found.withLockedValue { $0 })
    }

    private func urls(_ harness: Harness, path: String = "notes/1") async throws -> [String] {
        harness.events.documentChanged(try Samples.write(path, nil, [:]))
        await harness.events.idle()
        return harness.recorder.posted.map(\.url).sorted()
    }

    @Test func `changes of documents run functions of both generations`() async throws {
        let listing = Listing.of(Listing.first("one"), Listing.second("two"), Listing.others)
        let (harness, found) = try await looked(ListingAnswers([.listing(listing)]))
        #expect(found.map(\.ofDocuments) == [["one", "two"]])
        #expect(found.first?.summary == "changes of documents run one, two")
        let base = "http://127.0.0.1:5001/functions/projects/demo/triggers"
        #expect(try await urls(harness) == ["\(base)/europe-west1-two-0", "\(base)/us-central1-one-0"])
    }

    @Test func `a function of one document runs on that alone`() async throws {
        let listing = Listing.of(Listing.second("two", exactly: "notes/1"))
        let (harness, _) = try await looked(ListingAnswers([.listing(listing)]))
        #expect(try await urls(harness, path: "notes/2").isEmpty)
        #expect(try await urls(harness, path: "notes/1").count == 1)
    }

    @Test func `functions that were loaded again have other keys`() async throws {
        let keys = "Function x does not exist, valid functions are: hello-3, us-central1-one-0, us-central1-one-2"
        let answers = ListingAnswers(
            [.listing(Listing.of(Listing.first("one"), Listing.first("one"))), .listing("{}")],
            keys: .success(keys)
        )
        let (_, found) = try await looked(answers)
        #expect(found.first?.triggers.map(\.key) == ["us-central1-one-2"])
        #expect(answers.askedForKeys.count == 1)
    }

    @Test func `keys that cannot be had are asked for again`() async throws {
        let listing = Listing.of(Listing.first("one"))
        let answers = ListingAnswers([.listing(listing), .listing(listing)], keys: .failure(.timedOut))
        let (harness, found) = try await looked(answers)
        #expect(answers.askedForKeys.count == 2)
        #expect(found.count == 1)
        #expect(harness.events.triggerCount == 1)
    }

    @Test func `functions that vanish from the listing are not called`() async throws {
        let both = Listing.of(Listing.first("one"), Listing.second("two"))
        let (harness, found) = try await looked(
            ListingAnswers([.listing(both), .listing(Listing.of(Listing.first("one")))])
        )
        #expect(found.map(\.ofDocuments) == [["one", "two"], ["one"]])
        #expect(harness.events.triggerCount == 1)
    }

    @Test(arguments: [
        ([ListingAnswers.Look.failing(.unreachable)], 1), ([.failing(.unreachable), .failing(.unreachable)], 0),
        ([.failing(.timedOut), .failing(.timedOut), .failing(.timedOut)], 1), ([.status(404)], 0),
        ([.listing("no JSON")], 0),
    ]) func `functions stay until the Functions emulator has ended`(
        looks: [ListingAnswers.Look],
        count: Int
    ) async throws {
        let (harness, _) = try await looked(ListingAnswers([.listing(Listing.of(Listing.first("one")))] + looks))
        #expect(harness.events.triggerCount == count)
    }

    @Test func `functions are found again after an odd answer`() async throws {
        let listing = ListingAnswers.Look.listing(Listing.of(Listing.first("one")))
        let (harness, _) = try await looked(ListingAnswers([listing, .status(502), listing]))
        #expect(harness.events.triggerCount == 1)
    }

    @Test func `a function that is listed and not yet there is called again`() async throws {
        let (harness, _) = try await looked(ListingAnswers([.listing(Listing.of(Listing.first("one")))]))
        harness.advance(seconds: 60)
        harness.recorder.answer([.success(404)])
        #expect(try await urls(harness).count == 1)
        #expect(try await urls(harness).count == 2)
    }

    @Test func `a listing of nonsense makes few lines`() async throws {
        let odd = (0..<50).map { Listing.second("odd\($0)", type: "burnt") }.joined(separator: ",")
        let (_, found) = try await looked(ListingAnswers([.listing(Listing.of(odd))]))
        #expect(found.first?.refusals.count == 21)
        #expect(found.first?.refusals.last == "further functions are not called, either")
    }

    @Test func `a registered trigger stays when those that were found go`() async throws {
        let answers = ListingAnswers([.listing(Listing.of(Listing.second("two"))), .status(404)])
        let harness = try Harness(project: "demo") { answers.isEnded }
        try harness.registerFirst()
        await FunctionDiscovery(for: harness.events, caller: answers) { _ in }?.run()
        #expect(harness.events.triggerCount == 1)
    }

    @Test func `functions of another project are not called`() async throws {
        let (harness, found) = try await looked(
            ListingAnswers([.listing(Listing.of(Listing.first("one", project: "other")))])
        )
        #expect(found.first?.refusals == ["its functions are of the project other, not of demo: none is called"])
        harness.events.userCreated(EventUser(uid: "u"), project: "demo")
        #expect(try await urls(harness).isEmpty)
    }

    @Test func `a function that makes no sense is reported, and others are called`() async throws {
        let listing = Listing.of(Listing.second("odd", type: "burnt"), Listing.first("one"), "7", "{}")
        let (_, found) = try await looked(ListingAnswers([.listing(listing)]))
        #expect(found.first?.ofDocuments == ["one"])
        let refusal = "the function odd is not called: 'google.cloud.firestore.document.v1.burnt' is not a type of"
        #expect(found.first?.refusals.count == 1)
        #expect(found.first?.refusals.first?.hasPrefix(refusal) == true)
    }

    @Test func `functions that decide have the form of the settings`() async throws {
        let listing = Listing.of(
            Listing.deciding("made", "beforeCreate"),
            Listing.deciding("signed", "beforeSignIn", options: #"{"idToken":true}"#),
            Listing.deciding("sent", "beforeSendEmail")
        )
        let (_, found) = try await looked(ListingAnswers([.listing(listing)]))
        let base = "http://127.0.0.1:5001/demo/us-central1"
        let expected = """
            {"triggers":{"beforeCreate":{"functionUri":"\(base)/made"},"beforeSignIn":{"functionUri":"\(base)/signed"}},\
            "forwardInboundCredentials":{"accessToken":false,"idToken":true,"refreshToken":false}}
            """
        #expect(found.first?.deciding == (try JSONValue(parsing: Array(expected.utf8))))
        #expect(found.first?.summary == "sign-ins ask beforeCreate, beforeSignIn")
    }

    @Test func `it looks often while functions are loaded, and seldom otherwise`() async throws {
        let unchanged = [ListingAnswers.Look](repeating: .listing(Listing.of(Listing.first("one"))), count: 402)
        let (harness, _) = try await looked(ListingAnswers([.failing(.unreachable)] + unchanged))
        let quick = [Duration](repeating: .milliseconds(25), count: 400)
        #expect(harness.pauses == [.seconds(1)] + quick + [.seconds(1), .seconds(1)])
    }

    @Test func `each start of the Functions emulator is noticed once`() async throws {
        let listing = ListingAnswers.Look.listing(Listing.of())
        let gone = [ListingAnswers.Look](repeating: .failing(.unreachable), count: 2)
        let answers = ListingAnswers(gone + [listing, .failing(.unreachable), listing] + gone + [listing])
        let harness = try Harness(project: "demo") { answers.isEnded }
        let count = NIOLockedValueBox(0)
        let discovery = FunctionDiscovery(
            for: harness.events,
            caller: answers,
            onReached: { count.withLockedValue { $0 += 1 } },
            onChange: { _ in }
        )
        await discovery?.run()
        #expect(count.withLockedValue { $0 } == 2)
    }

    @Test func `without a Functions emulator or a project there is nothing to find`() throws {
        let harness = try Harness()
        #expect(FunctionDiscovery(for: harness.events) { _ in } == nil)
    }
}
