// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A message of a feed about one pass over the rules, in the official emulator's form (1.19.9, 2026-11).
struct FeedMessage {
    private let pass: JudgedPass
    private let number: Int
    private let request: FeedRequest
    private let conditions: [JudgedPass.Condition]

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - pass: The pass.
    ///   - number: Its number among those of its request.
    ///   - request: The request.
    ///   - conditions: Those judged in this pass and in the ones before it.
    init(of pass: JudgedPass, number: Int, in request: FeedRequest, conditions: [JudgedPass.Condition]) {
        (self.pass, self.number, self.request, self.conditions) = (pass, number, request, conditions)
    }

    var text: String {
        var message = MessageText(.feed)
        message.object { text in
            let release = "projects/\(request.project)/releases/cloud.firestore"
            text.member("rulesReleaseKey", string: "\(release)\(request.rules.source.javaHash)")
            // The official emulator has no such member, by which its user interface chooses those of a project.
            text.member("rulesReleaseName", string: release)
            text.member("requestId", string: request.ids[number])
            text.member("rules", string: request.rules.source)
            text.member("time", string: request.time.messageText)
            text.member("rulesContext") { $0.object(addContext) }
            text.member("granularAllowOutcomes") { $0.list(conditions, addOutcome) }
            text.member("outcome", string: pass.outcome.rawValue)
        }
        return message.text
    }

    private func addContext(to text: inout MessageText) {
        // No failure in it has a place.
        let source = SourceText("")
        text.member("path", string: pass.path.map(\.feedText).joined())
        text.member("request") { text in text.object { $0.add(pass.request, in: source) } }
        text.member("method", string: pass.method.rawValue)
        text.member("resource") { text in text.object { $0.add(pass.resource, in: source) } }
        if case .map(let request) = pass.request, case .timestamp(let time)? = request["time"] {
            text.member("time", string: time.messageText)
        }
    }

    private func addOutcome(to text: inout MessageText, of condition: JudgedPass.Condition) {
        text.object { text in
            text.member("line", number: request.rules.plan.rules[condition.rule].firstLine)
            text.member("outcome") { $0.raw("\(condition.holds == true)") }
        }
    }
}

extension RulesPath.Segment {
    /// The segment in the path of a message: a star for a document, two for any number of names.
    fileprivate var feedText: String {
        switch self {
        case .literal(let name), .capture(_, .some(let name)): "/\(name)"
        case .glob(_, .some(let names)): names.map { "/\($0)" }.joined()
        case .capture(_, nil), .unbound: "/*"
        case .glob(_, nil), .anywhere: "/**"
        }
    }
}
