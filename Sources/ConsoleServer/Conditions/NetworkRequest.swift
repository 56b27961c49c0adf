// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Wire

/// The network that clients are to have: a profile, or figures of one's own.
struct NetworkRequest: Decodable {
    var profile: String?
    var latencyMilliseconds: Int?
    var downKilobitsPerSecond: Int?
    var upKilobitsPerSecond: Int?

    /// The delay and the speeds; throws 400 for what cannot be.
    func conditions() throws(ConsoleFailure) -> LinkConditions {
        let own = LinkConditions(
            latencyMilliseconds: latencyMilliseconds ?? 0,
            downKilobitsPerSecond: downKilobitsPerSecond,
            upKilobitsPerSecond: upKilobitsPerSecond
        )
        if let profile {
            guard let named = LinkProfile.all.first(where: { $0.name == profile }) else {
                let names = LinkProfile.all.map(\.name).joined(separator: ", ")
                throw .refusedNetwork("the profile is one of \(names).")
            }
            guard own.isDirect || own == named.conditions else {
                throw .refusedNetwork("a profile comes without figures of one's own.")
            }
            return named.conditions
        }
        guard (0...LinkConditions.latencyMillisecondsMax).contains(own.latencyMilliseconds) else {
            throw .refusedNetwork("the delay is from 0 to \(LinkConditions.latencyMillisecondsMax) ms.")
        }
        for speed in [own.downKilobitsPerSecond, own.upKilobitsPerSecond].compactMap(\.self) {
            guard (1...LinkConditions.kilobitsPerSecondMax).contains(speed) else {
                throw .refusedNetwork("a speed is from 1 to \(LinkConditions.kilobitsPerSecondMax) kbit/s.")
            }
        }
        return own
    }
}

extension ConsoleFailure {
    fileprivate static func refusedNetwork(_ reason: String) -> Self {
        Self(status: 400, message: "The network cannot be so: \(reason)")
    }
}

extension LinkConditions {
    /// The present conditions, and the profiles that can be chosen.
    var json: JSONText {
        let profile = LinkProfile.all.first { $0.conditions == self }
        return .object(
            compacting: members + [
                ("profile", profile.map { .string($0.name) }),
                ("profiles", .array(LinkProfile.all.map(\.json))),
            ]
        )
    }

    fileprivate var members: [(String, JSONText?)] {
        [
            ("latencyMilliseconds", .integer(Int64(latencyMilliseconds))),
            ("downKilobitsPerSecond", downKilobitsPerSecond.map { .integer(Int64($0)) }),
            ("upKilobitsPerSecond", upKilobitsPerSecond.map { .integer(Int64($0)) }),
        ]
    }
}

extension LinkProfile {
    fileprivate var json: JSONText {
        .object(compacting: [("name", .string(name)), ("title", .string(title))] + conditions.members)
    }
}
