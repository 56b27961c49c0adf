// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A file of rules, ready to judge requests.
struct RulesPlan: Sendable {
    /// The places of `request` and of `resource` among the attributes.
    static let request = 0
    static let resource = 1

    var nodes: [PlanNode] = []
    /// Where each node was written.
    var spans: [TokenSpan] = []
    /// The functions and conditions of the file, in the order in which a report lists them.
    var roots: [Int32] = []
    /// Nodes that others list.
    var operands: [Int32] = []
    var constants: [RulesValue] = []
    /// The first two are not members of anything.
    var attributes = [PlanAttribute(owner: -1, name: "request"), PlanAttribute(owner: -1, name: "resource")]
    var names: [String] = []
    /// The texts of patterns, constants and names in UTF-8, one behind the other.
    private(set) var texts: [UInt8] = []
    var paths: [PlanPath] = []
    var functions: [PlanFunction] = []
    /// Those beside one another in a row, behind those in them.
    var matches: [PlanMatch] = []
    var segments: [PlanMatch.Segment] = []
    var allows: [PlanAllow] = []
    var namedMatches: [NamedMatches] = []
    /// The numbers of matches that lists name.
    var matchNumbers: [Int32] = []
    /// The matches of the service.
    var root = PlanMatchList()
    /// A match and those around it have at most this many captures.
    var captureCountMax = 0
    /// Every `allow`, by its number, as it was written.
    var rules: [PlanRule] = []
    var version = Ruleset.Version.one

    /// Adds a text.
    mutating func text(_ text: String) -> PlanText {
        let start = Int32(texts.count)
        texts += text.utf8
        return PlanText(start: start, count: Int32(texts.count) - start)
    }
}

/// The methods that are allowed on a condition.
struct PlanAllow: Sendable {
    /// Its number among all, as ``RulesTally`` counts them.
    var number: Int
    var methods: RulesMethods
    /// `nil` where there is none, so that it always holds.
    var condition: Int32?
    /// Whether the evaluation of the condition may fail altogether: then a quick judgement does not say what becomes of the request.
    var mayBreakOff = false
    /// The line on which the condition begins; without a condition that of the whole declaration.
    var line: Int
    /// The column of the condition.
    var column: Int
}

/// An `allow` as it was written.
struct PlanRule: Sendable {
    /// The path of its match, with those around it.
    let path: String
    let methods: [String]
    let line: Int
    /// The line on which the condition begins; without a condition that of the first method.
    let firstLine: Int
}

/// An access that rules may allow.
package enum RulesMethod: String, Sendable, CaseIterable {
    case get, list, create, update, delete

    /// The methods that a name in an `allow` stands for.
    static func named(_ name: String) -> [RulesMethod]? {
        switch name {
        case "read": [.get, .list]
        case "write": [.create, .update, .delete]
        default: RulesMethod(rawValue: name).map { [$0] }
        }
    }
}

/// Several methods.
struct RulesMethods: OptionSet, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ method: RulesMethod) {
        rawValue =
            switch method {
            case .get: 1
            case .list: 2
            case .create: 4
            case .update: 8
            case .delete: 16
            }
    }
}
