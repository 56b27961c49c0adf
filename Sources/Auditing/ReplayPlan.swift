// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The steps that a strategy takes for a log's views, in their order.
struct ReplayPlan: Sendable {
    /// A step, and the number of the view in the log that it is taken for.
    struct Step: Sendable {
        let number: Int
        let view: SessionView
    }

    let paging: ReplayPaging
    private(set) var steps: [Step] = []

    init(_ log: SessionLog, strategy: Strategy) {
        paging = ReplayPaging(log.header, strategy: strategy)
        var users: [String: ReplayPaging.User] = [:]
        for (index, view) in log.views.enumerated() {
            paging.add(view, to: &users[view.client, default: ReplayPaging.User()]) {
                steps.append(Step(number: index + 1, view: $0))
            }
        }
    }
}
