// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The values by which a quick pass has allowed a part of a request: enough to judge it again later.
///
/// A quick pass looks at no other document, so that what is stored then does not matter.
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
    /// - Parameters:
    ///   - part: The part.
    ///   - request: The value of `request` in the quick pass.
    ///   - resource: The value of `resource` in the quick pass.
    init(_ part: any RulesRequest, request: RulesValue, resource: RulesValue) {
        (methods, method, path) = (part.methods, part.method, part.path)
        early = part.methods.map { part.request(for: $0, knowsDocuments: false) }
        (knownRequest, knownResource, constraints) = (request, resource, part.constraints)
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
