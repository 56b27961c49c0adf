// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Wire

/// The REST face of Firestore: an HTTP request in, an HTTP response out, without any HTTP.
///
///     target ─▶ RESTRoute ─▶ request message ─▶ FirestoreCalls ─▶ answer message ─▶ JSON
///                  body, query ─┘                    └─ CallContext
///
/// Blocks the calling thread while the store works; may be called from any.
package struct FirestoreREST: Sendable {
    let calls: FirestoreCalls

    /// Creates the face of calls made elsewhere.
    package init(calls: FirestoreCalls) {
        self.calls = calls
    }

    /// Answers a request; every failure is an answer too.
    package func respond(to request: RESTRequest) async -> RESTResponse {
        var context = context("unknown", of: request.caller)
        var isStreamed = false
        var form = AnswerForm(isIndented: false)
        do {
            let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let route = try RESTRoute(method: request.method, path: parts[0])
            isStreamed = route.call.isStreamed
            context = self.context(route.call.rawValue, of: request.caller)
            let parameters = try QueryParameters(parts.count > 1 ? parts[1] : "")
            form = try AnswerForm(parameters)
            try form.select(request.fieldMask ?? parameters.system[.fields], of: route.call)
            if request.caller == .anonymous, let bearer = parameters.bearer {
                context = self.context(route.call.rawValue, of: Caller(authorization: bearer))
            }
            var exchange = RESTExchange(
                calls: calls,
                route: route,
                parameters: parameters,
                form: form,
                body: request.body,
                context: context
            )
            try calls.meetPlannedFault(in: context)
            let answer = try await exchange.answer()
            return RESTResponse(
                status: 200,
                contentType: form.contentType,
                body: answer.body,
                rest: answer.rest,
                usage: context.takeUsage()
            )
        } catch {
            return RESTResponse(
                error: CallError(anything: error),
                isStreamed: isStreamed,
                in: form,
                usage: context.takeUsage()
            )
        }
    }

    private func context(_ call: String, of caller: Caller) -> CallContext {
        calls.context(CallUsage(call: call), caller: caller)
    }
}
