// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension QuickEvaluation {
    /// The value, made.
    func value(of value: QuickValue) -> RulesValue {
        switch value {
        case .failed: .failure(.unknown)
        case .null: .null
        case .boolean(let isTrue): .boolean(isTrue)
        case .integer(let number): .integer(number)
        case .float(let number): .float(number)
        case .text(let text): .string(String(decoding: text, as: UTF8.self))
        case .encoded(let value): (try? RulesValue(value.decoded)) ?? .failure(.unknown)
        case .request: madeRequest()
        case .user: madeRequest().member("auth")
        case .document(.former): madeResource()
        case .document(.new): madeRequest().member("resource")
        case .fields(let document): self.value(of: .document(document)).member("data")
        case .made(let place): made[place]
        }
    }

    /// A value that was made, without it if it is simple.
    func quick(_ value: RulesValue) -> QuickValue {
        switch value {
        case .null: .null
        case .boolean(let isTrue): .boolean(isTrue)
        case .integer(let number): .integer(number)
        case .float(let number): .float(number)
        case .failure(.missingGroup): leaveOpen()
        case .failure: .failed
        default: make(value)
        }
    }

    /// A value of a document.
    func quick(_ value: EncodedValue) -> QuickValue {
        switch try? value.form {
        case nil: .failed
        case .null: .null
        case .boolean(let isTrue): .boolean(isTrue)
        case .integer(let number): .integer(number)
        case .double(let number): .float(number)
        case .text(let text): .text(text)
        case .array, .other: .encoded(value)
        }
    }

    func make(_ value: RulesValue) -> QuickValue {
        made.append(value)
        return .made(made.count - 1)
    }

    private func madeRequest() -> RulesValue {
        if let request { return request }
        guard let part else { preconditionFailure("a judge has a request while it evaluates") }
        let made = part.request(for: part.method, knowsDocuments: true)
        request = made
        return made
    }

    func madeResource() -> RulesValue {
        if let resource { return resource }
        // The error of a store is that of the pass that comes to it again.
        guard let part, let made = try? part.constraints ?? part.resource() else {
            leaveOpen()
            return .failure(.unknown)
        }
        resource = made
        return made
    }
}
