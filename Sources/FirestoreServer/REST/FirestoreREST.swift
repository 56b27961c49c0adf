// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import Metering
import Wire

/// The REST face of Firestore: an HTTP request in, an HTTP response out, without any HTTP.
///
///     target ─▶ RESTRoute ─▶ request message ─▶ FirestoreCalls ─▶ answer message ─▶ JSON
///                  body, query ─┘                    └─ CallUsage
///
/// Blocks the calling thread while the store works; may be called from any.
package struct FirestoreREST: Sendable {
    let calls: FirestoreCalls

    /// Creates the face of a store.
    package init(store: SQLiteDocumentStore) {
        self.init(calls: FirestoreCalls(store: store))
    }

    /// Creates the face of calls made elsewhere.
    package init(calls: FirestoreCalls) {
        self.calls = calls
    }

    /// Answers a request; every failure is an answer too.
    package func respond(to request: RESTRequest) -> RESTResponse {
        let caller = Caller(authorization: request.authorization)
        var usage = CallUsage(call: "unknown")
        usage.attribution.user = caller.userID
        do {
            let body = try answer(request, caller: caller, usage: &usage)
            return RESTResponse(status: 200, body: body, usage: usage)
        } catch let error as CallError {
            return RESTResponse(error: error, usage: usage)
        } catch let error as DocumentStoreError {
            return RESTResponse(error: CallError(error), usage: usage)
        } catch {
            return RESTResponse(error: .unexpected, usage: usage)
        }
    }

    private func answer(_ request: RESTRequest, caller: Caller, usage: inout CallUsage) throws -> [UInt8] {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let route = try RESTRoute(method: request.method, path: parts[0])
        usage.attribution.operation = "firestore.\(route.call.rawValue)"
        var exchange = RESTExchange(
            calls: calls,
            route: route,
            parameters: try QueryParameters(parts.count > 1 ? parts[1] : ""),
            body: request.body,
            caller: caller
        )
        return try exchange.answer(usage: &usage)
    }
}
