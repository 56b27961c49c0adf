// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
import NIOConcurrencyHelpers

/// Reports calls for projects other than the one that is served, each project once.
///
/// An app that uses another project than the emulator finds everything empty, and no call fails. firebase-tools warns
/// of that, too, as long as `singleProjectMode` is not off (15.28.1, `src/emulator/auth/server.ts`, `controller.ts`).
package final class ProjectWatch: Sendable {
    /// The projects that are reported; further ones are not, so that memory and lines are bounded.
    package static let reportedCountMax = 20
    /// Of a longer project, its beginning stands for it: ids have at most 30 characters.
    package static let nameLengthMax = 100

    private let project: String
    private let advice: String
    private let report: @Sendable (String) -> Void
    private let reported = NIOLockedValueBox<Set<String>>([])

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - project: The project that is served.
    ///   - advice: How to use several projects without a report, as a command: "leave --project out".
    ///   - report: Takes each line; may be called by any thread.
    package init(project: String, advice: String, report: @escaping @Sendable (String) -> Void) {
        (self.project, self.advice, self.report) = (project, advice, report)
    }

    /// Notes that a call asks for a project.
    ///
    /// - Parameters:
    ///   - asked: The project's id.
    ///   - service: The service that is asked.
    package func note(_ asked: String, of service: UsageAttribution.Service) {
        guard asked != project else { return }
        report(other: asked, of: service)
    }

    private func report(other: String, of service: UsageAttribution.Service) {
        let name = String(other.unicodeScalars.prefix(Self.nameLengthMax).map(Self.shown))
        let count = reported.withLockedValue { reported -> Int? in
            guard reported.count < Self.reportedCountMax, reported.insert(name).inserted else { return nil }
            return reported.count
        }
        guard let count else { return }
        let isLast = count == Self.reportedCountMax
        report(
            "\(service.title) was asked for the project \(name), but \(project) is served here. The data of projects "
                + "are apart: the app finds nothing of \(project). Use one project in the app, in tests and here "
                + "(--project); to use several, \(advice)." + (isLast ? " Further projects are not reported." : "")
        )
    }

    /// A character that does not break the line.
    private static func shown(_ scalar: Unicode.Scalar) -> Character {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: Character(scalar)
        }
    }
}

extension UsageAttribution.Service {
    fileprivate var title: String {
        switch self {
        case .auth: "Authentication"
        case .firestore: "Firestore"
        case .storage: "Storage"
        }
    }
}
