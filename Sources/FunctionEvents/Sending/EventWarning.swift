// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Trouble with a destination, each kind of which is reported once.
enum EventWarning: Hashable, Sendable {
    case queueFull
    case timedOut
    case unreachable
    case refused(status: Int)
    case damagedDocument

    func message(_ destination: String) -> String {
        switch self {
        case .queueFull:
            "Events are dropped: \(destination) takes them more slowly than they occur. Further ones are counted."
        case .timedOut: "An event was not answered in time by \(destination). Further ones are counted."
        case .unreachable: "\(destination) cannot be reached: its events are lost. Further ones are counted."
        case .refused(let status):
            "\(destination) answered an event with the status \(status). Further ones are counted."
        case .damagedDocument: "The event of a document whose fields are damaged in the database file was not sent."
        }
    }
}
