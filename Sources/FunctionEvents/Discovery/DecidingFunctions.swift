// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The functions that decide on sign-ins, in the form of Identity Platform's `blockingFunctions`.
///
/// Source: firebase-tools 15.28.1, `src/emulator/functionsEmulator.ts`, `addBlockingTrigger`.
enum DecidingFunctions {
    private static let events = [
        "providers/cloud.auth/eventTypes/user.beforeCreate": "beforeCreate",
        "providers/cloud.auth/eventTypes/user.beforeSignIn": "beforeSignIn",
    ]
    private static let credentials = ["accessToken", "idToken", "refreshToken"]

    /// The settings that name the functions of a listing; `nil` where none decides.
    static func settings(
        of functions: [ListedFunction],
        at address: FunctionsAddress,
        project: String
    ) -> JSONValue? {
        var triggers: [String: JSONValue] = [:]
        var forwarded: [String: JSONValue] = [:]
        for function in functions {
            guard let trigger = function.blockingTrigger,
                let event = trigger["eventType"]?.string.flatMap({ events[$0] })
            else { continue }
            let url = address.function(function.name, region: function.region, project: project)
            triggers[event] = .object(["functionUri": .string(url)])
            // As there, those of the last function hold for both.
            for credential in credentials {
                forwarded[credential] = .bool(trigger["options"]?[credential]?.boolean ?? false)
            }
        }
        guard !triggers.isEmpty else { return nil }
        return .object(["triggers": .object(triggers), "forwardInboundCredentials": .object(forwarded)])
    }
}
