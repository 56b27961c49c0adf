// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The avoidable downloads of a strategy, as JSON.
struct FindingJSON: Encodable {
    struct Part: Encodable {
        let name: String
        let bytes: Int64
        let responses: Int64

        init(_ part: CauseTally.Part) {
            name = part.name
            bytes = part.amount.byteCount
            responses = part.amount.responseCount
        }
    }

    struct Remedy: Encodable {
        let strategy: String
        let bytes: Int64

        init(_ remedy: Finding.Remedy) { (strategy, bytes) = (remedy.strategy, remedy.byteCount) }
    }

    let cause: String
    let bytes: Int64
    let percent: Double
    let responses: Int64
    let objects: [Part]
    let screens: [Part]
    let remedy: Remedy?
    /// What to do about it, in words.
    let sentence: String
    /// Where the change is shown in code.
    let document: String?

    init(_ finding: Finding, in outcome: StrategyOutcome) {
        sentence = finding.sentence(in: outcome)
        document = finding.refactoring(in: outcome)?.document
        cause = finding.cause.rawValue
        bytes = finding.amount.byteCount
        percent = finding.percent
        responses = finding.amount.responseCount
        objects = finding.topObjects.map(Part.init)
        screens = finding.topPages.map(Part.init)
        remedy = finding.remedy.map(Remedy.init)
    }
}
