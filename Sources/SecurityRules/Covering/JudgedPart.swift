// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The values by which a quick judgement has allowed a part of a request: enough to judge it again later.
///
/// A quick judgement looks at no other document, so that what is stored then does not matter.
final class JudgedPart: RulesRequest, Sendable {
    let methods: [RulesMethod]
    let method: RulesMethod
    let path: [RulesPath.Segment]
    let constraints: RulesValue?
    /// The value of `request` for each of the methods, as long as no document is looked at.
    private let early: [RulesValue]
    private let knownRequest: RulesValue
    private let knownResource: RulesValue

    /// Keeps a part.
    ///
    /// - Throws: The error of a store that could not be read.
    init(_ part: any RulesRequest) throws {
        (methods, method, path) = (part.methods, part.method, part.path)
        early = part.methods.map { part.request(for: $0, knowsDocuments: false) }
        knownRequest = part.request(for: part.method, knowsDocuments: true)
        constraints = part.constraints
        knownResource = try part.constraints ?? part.resource()
    }

    /// An estimate of the memory that it holds.
    var byteCount: Int { 1_024 + knownRequest.byteCount + knownResource.byteCount }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        guard !knowsDocuments, let place = methods.firstIndex(of: method) else { return knownRequest }
        return early[place]
    }

    func resource() -> RulesValue { knownResource }
}

extension RulesValue {
    /// The bytes of the documents of a value that is made when rules ask for it.
    var byteCount: Int {
        if case .map(let map) = self { map.byteCount } else { 0 }
    }
}
