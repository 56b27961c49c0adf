// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import AuthServer
import Basics
package import ConsoleServer
package import FeedDataSet
import Foundation
package import FunctionEvents
package import Metering
package import SessionLog
package import Wire

/// How a local Firebase is run.
package struct EmulatorConfiguration: Sendable {
    /// Where the data are kept.
    package enum Storage: Sendable, Hashable {
        /// In a directory, which is created if need be and keeps everything between runs.
        case directory(String)
        /// In a temporary directory that is removed at the end.
        case ephemeral
    }

    /// The address to listen on, or `localhost`.
    package var host = "127.0.0.1"
    /// Those of services that listen elsewhere.
    package var hosts: [EmulatorService: String] = [:]
    /// The services that do not listen, whatever their ports.
    package var unserved: Set<EmulatorService> = []
    /// The ports that services try in turn where theirs is in use.
    package var otherPorts: [EmulatorService: [Int]] = [:]
    /// The ports, by default those of the Firebase emulators; 0 picks a free one.
    package var ports = EmulatorPorts(firestore: 8080, storage: 9199, console: 4000)
    /// Where the data are kept.
    package var storage = Storage.ephemeral
    /// Where the directory of an ephemeral emulator is made.
    package var temporaryDirectory = FileManager.default.temporaryDirectory.path
    /// A feed data set to load before serving.
    package var seedPath: String?
    /// The smaller copies that are kept of the data set's thumbnails.
    package var seedVariants: [SeedVariant] = []
    /// Whether a thumbnail that cannot be decoded is an error where copies are kept; else it has none.
    package var requiresSeedVariants = true
    /// Objects of given sizes to store before serving.
    package var placeholders: [PlaceholderObject] = []
    /// An export of the official Firebase emulators that is loaded before serving.
    package var importPath: String?
    /// Where the data are exported at the end.
    package var exportPath: String?
    /// Whether the project has its default bucket from the start, as in the official emulators' lists.
    package var makesDefaultBucket = false
    /// Where changes of data are sent: to functions, and to URLs.
    package var events = EventDestinations()
    /// The directory below which calls may have exports written.
    package var exportBound = FileManager.default.currentDirectoryPath
    /// Audits the session that is recorded, for the console; `nil` where the program cannot.
    package var sessionAudit: SessionAuditing?
    /// The network that clients have at first.
    package var network = LinkConditions()
    /// The version that the console shows.
    package var version = ProgramVersion.number
    /// A session log to which requests are written.
    package var recordPath: String?
    /// When the session log continues in another file; `nil` keeps one file.
    package var recordRotation: SessionLogRotation?
    /// The posts of a page, for the header of the session log; `nil` when it is not known.
    package var recordedPageSize: Int?
    /// A `firestore.indexes.json` with the app's indexes.
    package var indexPath: String?
    /// The indexes of databases that have a file apart, by their names.
    package var indexPathsOfDatabases: [String: String] = [:]
    /// Whether queries without their index are refused, as in production.
    package var requiresIndexes = false
    /// A file of Security Rules by which calls to Firestore are judged; it is read again when it changes.
    package var rulesPath: String?
    /// The rules of databases that have a file apart, by their names; `nil` for one that is open to all.
    package var rulesPathsOfDatabases: [String: String?] = [:]
    /// A file of Security Rules by which calls to Storage's v0 API are judged.
    package var storageRulesPath: String?
    /// The rules of buckets, by their names, where not all have the same; other buckets then allow nothing.
    package var rulesPathsOfBuckets: [String: String]?
    /// The project of callers that name none, such as apps, which have but an API key.
    package var project = "demo-firemeter"
    /// The directory of Firebase's own user interface, which the console then shows; `nil` where it is not to be shown.
    package var interfacePath: String?
    /// Whose answers Authentication gives where the official emulator and production differ.
    package var authProfile = AuthProfile.emulator
    /// Whether users of other projects are refused.
    package var refusesOtherProjects = false
    /// How to use several projects without a warning, as a command; `nil` where calls for others are not reported.
    package var otherProjectsAdvice: String?
    /// Receives a line for each code or link that would be sent to a user.
    package var onMessage: @Sendable (String) -> Void = { _ in }
    /// Takes the text of a value that the Security Rules of a service show by `debug()`, whose lines all end.
    package var onDebug: @Sendable (String, EmulatorService) -> Void = { _, _ in }
    /// Whether only signed-in users may read and write.
    package var requiresSignIn = false
    /// Whether holds and retention policies protect objects, as in production.
    package var enforcesRetention = true
    /// The files of service accounts' keys by which signed URLs are judged.
    package var signingKeyPaths: [String] = []
    /// The prices and free amounts that usage is compared with.
    package var profile = PriceProfile.spark2023
    /// Whether requests are refused once a free amount of the profile is used up, if the profile refuses.
    package var enforcesQuota = false
    /// Whether requests are counted.
    package var isMetered = true
    /// Whether the counts are kept in the data directory; else they go with the run, and the directory's stay as they are.
    package var keepsUsage = true
    /// Microseconds since the Unix epoch; the one source of time for stores and meter.
    package var now: @Sendable () -> Int64
    /// Makes download tokens.
    package var makeToken: @Sendable () -> String

    /// Creates a configuration with the defaults of `firemeter serve`.
    package init(
        now: @escaping @Sendable () -> Int64 = SystemClock.microseconds,
        makeToken: @escaping @Sendable () -> String = RandomToken.make
    ) {
        self.now = now
        self.makeToken = makeToken
    }
}

/// The ports of the services.
package struct EmulatorPorts: Sendable, Hashable {
    /// Firestore's port.
    package var firestore: Int
    /// Cloud Storage's port.
    package var storage: Int
    /// The console's port.
    package var console: Int
    /// Authentication's port; `nil` where it is not served.
    package var auth: Int?
    /// The port of the feed of requests that Security Rules judge; `nil` for no feed.
    package var websocket: Int?

    /// The emulator hub's port; `nil` for no hub.
    package var hub: Int?
    /// The port on which lines of the log are shown; `nil` where they are not.
    package var logging: Int?

    /// Any free ports.
    package static let free = Self(firestore: 0, storage: 0, console: 0)

    /// Creates ports.
    package init(firestore: Int, storage: Int, console: Int, auth: Int? = nil, websocket: Int? = nil) {
        self.firestore = firestore
        self.storage = storage
        self.console = console
        self.auth = auth
        self.websocket = websocket
    }
}

/// Where a running emulator listens.
package struct EmulatorAddresses: Sendable, Hashable {
    /// The address of services that have none of their own.
    package let host: String
    /// The addresses of services that listen elsewhere.
    let hosts: [EmulatorService: String]
    /// The ports, none of them 0.
    package let ports: EmulatorPorts

    /// Firestore's address, `host:port`.
    package var firestore: String { address(of: .firestore, ports.firestore) }
    /// Cloud Storage's address, `host:port`.
    package var storage: String { address(of: .storage, ports.storage) }
    /// The console's address, `host:port`.
    package var console: String { address(of: .console, ports.console) }
    /// Authentication's address, `host:port`; `nil` where it is not served.
    package var auth: String? { ports.auth.map { address(of: .auth, $0) } }
    /// The address of the feed of requests, `host:port`; `nil` where there is none.
    package var websocket: String? { ports.websocket.map { address(of: .websocket, $0) } }
    /// The hub's address, `host:port`; `nil` where there is none.
    package var hub: String? { ports.hub.map { address(of: .hub, $0) } }
    /// The address of the log, `host:port`; `nil` where there is none.
    package var logging: String? { ports.logging.map { address(of: .logging, $0) } }

    /// The address to which clients connect, as URLs write it: IPv6 in brackets.
    private func address(of service: EmulatorService, _ port: Int) -> String {
        ListeningService(name: service.rawValue, host: hosts[service] ?? host, port: port).authority
    }
}

/// What listens on a port.
package enum EmulatorService: String, Sendable, CaseIterable {
    case firestore
    case storage
    case console
    case auth
    /// The feed of requests that Security Rules judge.
    case websocket
    case hub
    case logging
}
