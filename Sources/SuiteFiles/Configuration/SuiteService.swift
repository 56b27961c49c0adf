// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The emulators that `firebase.json` and `--only` may name, by their names there.
///
/// Source of names, ports and descriptions: firebase-tools 15.28.1, `src/emulator/types.ts` and `constants.ts`.
package enum SuiteService: String, CaseIterable, Sendable {
    case apphosting, auth, functions, firestore, database, hosting, pubsub, storage, eventarc, dataconnect, tasks
    case extensions, hub, ui, logging

    /// Those that `--only` chooses from, in the order of firebase-tools.
    static let selectable: [Self] = [
        .apphosting, .auth, .functions, .firestore, .database, .hosting, .pubsub, .storage, .eventarc, .dataconnect,
        .tasks,
    ]

    /// Whether this program serves it where `firebase.json` asks for it.
    var isServed: Bool { [.auth, .firestore, .storage].contains(self) }

    /// Whether it starts with others, and is not chosen.
    var isAttendant: Bool { [.hub, .ui, .logging].contains(self) }

    /// The port where `firebase.json` names none.
    package var defaultPort: Int {
        switch self {
        case .ui: 4000
        case .hub: 4400
        case .logging: 4500
        case .hosting: 5000
        case .functions, .extensions: 5001
        case .apphosting: 5002
        case .firestore: 8080
        case .pubsub: 8085
        case .database: 9000
        case .auth: 9099
        case .storage: 9199
        case .eventarc: 9299
        case .dataconnect: 9399
        case .tasks: 9499
        }
    }

    /// Whether it takes the next free port when its default is in use, instead of failing.
    package var searchesForPort: Bool {
        [.ui, .hub, .logging, .hosting, .apphosting, .eventarc, .tasks].contains(self)
    }

    /// The name in messages.
    package var displayName: String {
        switch self {
        case .ui: "Emulator UI"
        case .hub: "emulator hub"
        case .logging: "Logging Emulator"
        case .hosting: "Hosting Emulator"
        case .apphosting: "App Hosting Emulator"
        case .functions: "Functions Emulator"
        case .firestore: "Firestore Emulator"
        case .pubsub: "Pub/Sub Emulator"
        case .database: "Database Emulator"
        case .auth: "Authentication Emulator"
        case .storage: "Storage Emulator"
        case .extensions: "Extensions Emulator"
        case .eventarc: "Eventarc Emulator"
        case .dataconnect: "SQL Connect Emulator"
        case .tasks: "Cloud Tasks Emulator"
        }
    }
}
