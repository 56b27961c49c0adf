// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import Metering
import ObjectStore
import Wire

/// A request on its way to its answer.
struct StorageCall: Sendable {
    var request: Request
    let target: RequestTarget
    let exchange: Exchange
    let api: StorageAPIName
    /// The user or administrator that makes the request, by its header or else by its query.
    let caller: Caller
    /// The operation that the call is attributed to.
    private(set) var operation = StorageOperation.unknown

    init(request: Request, target: RequestTarget, exchange: Exchange) {
        self.request = request
        self.target = target
        self.exchange = exchange
        // An OPTIONS request asks for a page, whatever the API is.
        api = request.method == .options ? .emulator : StorageAPIName(path: target.path)
        caller =
            if request.headers[.authorization] == nil, let credential = target[.credential] {
                Caller(authorization: "Bearer \(credential)")
            } else {
                exchange.caller
            }
    }

    /// The method meant: clients behind proxies that know no PATCH send it as an override (the Firebase SDKs' habit).
    var method: HTTPRequest.Method {
        let mayOverride = request.method == .post || request.method == .put
        return mayOverride && self["X-HTTP-Method-Override"]?.uppercased() == "PATCH" ? .patch : request.method
    }

    /// The scheme and address under which the client reached the server, for links in answers.
    ///
    /// Taken from the request, so that links work through proxies and out of containers.
    var origin: String {
        "\(request.head.scheme ?? "http")://\(request.head.authority ?? "localhost")"
    }

    /// The value of a header field, by a name that the HTTP library does not know.
    subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    /// Renders JSON as the client wants it, and as much of it.
    func json(_ json: JSONText) -> Response {
        let form = self.form
        return .json(json.selecting(form.fields), in: form)
    }
}

extension StorageCall {
    /// Attributes the call to an operation; its bytes and its charge are recorded under that.
    func attributed(to operation: StorageOperation) -> Self {
        var call = self
        call.operation = operation
        exchange.attribute(to: operation.attribution, billing: .storage(operation.operationClass))
        return call
    }

    /// Attributes the call to the target that its body names.
    func attribute(to target: StorageOperation.Target) {
        _ = attributed(to: operation.on(target))
    }
}

extension StorageCall {
    /// Receives a body that describes an object.
    func objectChanges() async throws -> ObjectChanges {
        try ObjectChanges(parsing: await WholeBody(of: request).collected(upTo: ObjectChanges.byteCountMax))
    }

    /// Receives a body that must be a JSON object; an empty one counts as an empty object.
    func jsonBody() async throws -> [String: JSONValue] {
        try await objectChanges().members
    }
}

extension StorageCall {
    /// How the client wants JSON written: in lines unless it says otherwise, and whole where it asks amiss.
    var form: AnswerForm { (try? requestedForm()) ?? AnswerForm(isIndented: true) }

    /// Reads how the client wants JSON written.
    ///
    /// - Throws: `StorageFailure` (400) for a selection or a callback that cannot be read.
    func requestedForm() throws(StorageFailure) -> AnswerForm {
        var form: AnswerForm
        do {
            form = try AnswerForm(isIndented: true) { target[$0] }
        } catch {
            throw .invalidParameter("callback", message: error.message)
        }
        guard api != .firebase else { return form }
        do {
            form.fields = try FieldSelector(target[.fields])
        } catch {
            throw .invalidParameter("fields", message: "Invalid field selection\(error.complaint)")
        }
        return form
    }
}

extension StorageFailure {
    fileprivate static func invalidParameter(_ name: String, message: String) -> Self {
        Self(status: 400, message: message, reason: "invalidParameter", location: .parameter(name))
    }
}

extension FieldSelectionError {
    fileprivate var complaint: String {
        switch self {
        case .malformed(let parameter): " \(parameter)"
        case .tooLong: ": it is longer than \(FieldSelector.byteCountMax) bytes."
        }
    }
}
