// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport
import SessionLog

/// `firemeter audit import`.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a session of logs that you have, to be replayed with other strategies.",
        discussion: """
            Reads what 'firemeter audit totals' reads. Images whose names differ in a last small number, as in \
            'users/u1/photo_0.jpg', belong to one post, or as --layout says; who saw which posts when, and opened which, is inferred from the \
            downloads. What is assumed is printed, kept in the session, and shown with every report on it, whose first row is \
            what really happened.

            Of a log that 'firemeter serve --record' wrote, the inferred views are written; 'firemeter audit replay' \
            infers them by itself.

            Logs without sizes, such as audit logs of Cloud Logging, need a listing of the objects: \
            'gcloud storage ls --long gs://bucket/**' writes one for --sizes.

            Examples:
              firemeter audit import usage_2026_11_20_*.csv.gz --output session.log
              firemeter audit import access.log --output session.log --opened-percent 5
              firemeter audit import audit.json --sizes listing.txt --output session.log
              firemeter audit replay session.log
            """
    )

    @OptionGroup var reading: LogOptions
    @OptionGroup var loading: InferenceOptions
    @Option(
        help: ArgumentHelp(
            "The objects' sizes, as 'gcloud storage ls --long' or 'gsutil ls -l' writes them.",
            valueName: "file"
        )
    )
    var sizes: String?
    @Option(help: ArgumentHelp("The session to write; there must be no such file.", valueName: "file"))
    var output: String

    func validate() throws {
        try ImportedSession.checkOutput(output)
    }

    func run() async throws {
        try await exitingWithCode {
            let (source, passedOver) = try inferred()
            Terminal.endProgress()
            try write(source, passedOver: passedOver)
        }
    }

    /// The session of the logs, and the requests that do not belong to it.
    private func inferred() throws -> (SessionSource, LoggedDownloads.PassedOver?) {
        var downloads = LoggedDownloads()
        if let sizes { try downloads.setSizes(ObjectListing(sizes)) }
        var recording: SessionSource?
        try reading.read(into: &downloads) { _, path in
            guard reading.logs.count == 1 else {
                throw CommandFailure(exitCode: 64, message: "a log of 'firemeter serve --record' is imported by itself")
            }
            recording = try loading.load(path)
        }
        if let recording { return (try checked(recording), nil) }
        guard let session = try downloads.session(layouts: loading.layouts(), rules: loading.rules) else {
            throw ImportedSession.noDownloads(names, downloads.passedOver)
        }
        try ImportedSession.checkSizes(session.images, of: names)
        return (SessionSource(session), downloads.passedOver)
    }

    private var names: String { reading.logs.joined(separator: ", ") }

    /// A log that has views of its own, or neither views nor requests, is not imported.
    private func checked(_ source: SessionSource) throws -> SessionSource {
        guard source.isInferred else {
            throw CommandFailure(
                exitCode: 65,
                message: source.isEmpty
                    ? "\(names) has no query and no download; 'firemeter audit totals' shows what there is"
                    : "\(names) has views of its own; 'firemeter audit replay' takes it as it is"
            )
        }
        return source
    }

    private func write(_ source: SessionSource, passedOver: LoggedDownloads.PassedOver?) throws {
        var viewCount = 0
        var users: Set<String> = []
        let images = source.images
        try ImportedSession.write(source.header, images, to: output) { writer in
            try GroupQueue.inOrder(source.groupCount) { (group) throws(SessionLogError) in
                let views = try source.session(ofGroup: group).views
                return (views, try SessionLines(views.map(SessionEntry.view)))
            } take: { (views, lines) throws(SessionLogError) in
                try writer.append(lines)
                viewCount += views.count
                users.formUnion(views.lazy.map(\.client))
            }
        }
        ImportedSession.note(
            output,
            viewCount: Int64(viewCount),
            userCount: Int64(users.count),
            header: source.header,
            imageCount: images.count,
            passedOver: passedOver
        )
    }
}
