// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The values by which a quick pass has allowed a part of a request: enough to judge it again later.
///
/// A quick pass looks at no other document, so that what is stored then does not matter.
struct JudgedPart: Sendable {
    private let methods: [RulesMethod]
    private let method: RulesMethod
    private let path: [RulesPath.Segment]
    /// The value of `request` for each of the methods, as long as no document is looked at.
    private let early: [RulesValue]
    private let request: RulesValue
    private let constraints: RulesValue?
    private let resource: RulesValue

    /// Keeps a part.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - request: The value of `request` in the quick pass.
    ///   - resource: The value of `resource` in the quick pass.
    init(_ part: RulesRequest, request: RulesValue, resource: RulesValue) {
        (methods, method, path) = (part.methods, part.method, part.path)
        early = part.methods.map { part.request($0, false) }
        (self.request, self.resource, constraints) = (request, resource, part.constraints)
    }

    /// An estimate of the memory that it holds.
    var byteCount: Int { 1_024 + request.byteCount + resource.byteCount }

    var part: RulesRequest {
        RulesRequest(
            methods: methods,
            method: method,
            path: path,
            request: { method, knowsDocuments in
                guard !knowsDocuments, let place = methods.firstIndex(of: method) else { return request }
                return early[place]
            },
            constraints: constraints,
            resource: { resource }
        )
    }
}

extension RulesValue {
    /// The bytes of the documents of a value that is made when rules ask for it.
    var byteCount: Int {
        if case .map(let map) = self { map.byteCount } else { 0 }
    }
}
