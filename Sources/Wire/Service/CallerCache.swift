// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Remembers the caller of a connection's last token, and the last client: requests of a connection repeat both.
final class CallerCache {
    private var authorization: String?
    private var caller = Caller.anonymous
    private var clientName: String?
    private var client = ""

    func caller(authorization: String?) -> Caller {
        if authorization != self.authorization {
            self.authorization = authorization
            caller = Caller(authorization: authorization)
        }
        return caller
    }

    /// The client as the meter names it.
    func client(named name: String) -> String {
        if name != clientName {
            clientName = name
            client = UsageAttribution.cutClient(name)
        }
        return client
    }
}
