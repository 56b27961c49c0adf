// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The first views of a log's first user, one right after the other.
struct FirstViews {
    let log: SessionLog

    init(of whole: SessionLog, count: Int) throws {
        let client = whole.views.first?.client
        let views = whole.views.filter { $0.client == client }.prefix(count).map { view in
            SessionView(atMilliseconds: 0, client: view.client, action: view.action)
        }
        log = SessionLog(header: whole.header, views: Array(views), requestCount: 0, skippedLineCount: 0)
    }
}
