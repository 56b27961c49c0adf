// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalFirebase
import SuiteFiles

extension ServePrinter {
    /// Shows a line on the project's files.
    func note(_ notice: SuiteNotice) {
        switch notice.level {
        case .warning: warn("\(notice.label): \(notice.text)")
        case .information: remark("\(notice.label): \(notice.text)")
        }
    }

    /// Says that the services of a project are ready, in the words that tools wait for.
    ///
    /// Source: firebase-tools 15.28.1, `src/commands/emulators-start.ts`.
    func ready(_ addresses: EmulatorAddresses, of plan: SuitePlan, after startup: Duration) {
        guard !isJSON else { return readyInJSON(addresses, after: startup) }
        let project = plan.project.alias.map { "\(plan.project.id) (\($0))" } ?? plan.project.id
        let services: [(name: String, url: String?)] = [
            ("Auth", addresses.auth.map { "http://\($0)" }),
            ("Firestore", addresses.ports.firestore == 0 ? nil : "http://\(addresses.firestore)"),
            ("Storage", addresses.ports.storage == 0 ? nil : "http://\(addresses.storage)"),
            ("Console", addresses.ports.console == 0 ? nil : "http://\(addresses.console)"),
            ("Usage", addresses.ports.console == 0 ? nil : "http://\(addresses.console)/usage"),
            ("Requests", addresses.websocket.map { "ws://\($0)/requests" }),
            ("Log", addresses.logging.map { "ws://\($0)" }),
            ("Hub", addresses.hub.map { "http://\($0)" }),
        ]
        let lines = services.compactMap { name, url in
            url.map { "  " + name.padding(toLength: 11, withPad: " ", startingAt: 0) + $0 }
        }
        remark(
            """
            All emulators ready! It is now safe to connect your app.
              Project    \(project)
            \(lines.joined(separator: "\n"))
            """
        )
    }

    /// Says how a command ended.
    func scriptEnded(_ end: ScriptProcess.End, _ words: [String]) {
        let script = words.joined(separator: " ")
        switch end {
        case .exited(0): remark("Script exited successfully (code 0)")
        case .exited(let code): warn("Script \"\(script)\" exited with code \(code)")
        case .killed(let signal): warn("Script \"\(script)\" was ended by signal \(signal)")
        }
    }
}
