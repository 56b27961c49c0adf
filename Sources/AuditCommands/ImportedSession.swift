// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import Foundation
import LogImport
import SessionLog

/// The session that an import writes, and what is said of it.
enum ImportedSession {
    private static let blockCount = 5_000

    static func checkOutput(_ output: String) throws {
        guard !FileManager.default.fileExists(atPath: output) else {
            throw ValidationError("\(output) is there already; choose another file.")
        }
    }

    static func noDownloads(_ names: String, _ passedOver: LoggedDownloads.PassedOver) -> CommandFailure {
        CommandFailure(
            exitCode: 65,
            message: "\(names): no download of an image\(note(passedOver)); "
                + "'firemeter audit totals' shows what there is"
        )
    }

    static func checkSizes(_ images: [SessionImage], of names: String) throws {
        guard images.contains(where: { $0.byteCount > 0 }) else {
            throw CommandFailure(
                exitCode: 65,
                message: """
                    \(names): the log has no sizes; list the objects, and name the listing with --sizes:
                      gcloud storage ls --long 'gs://bucket/**' > listing.txt
                    """
            )
        }
    }

    /// Writes a session, whose views `appendViews` appends.
    static func write(
        _ header: SessionHeader,
        _ images: [SessionImage],
        to output: String,
        appendViews: (SessionLogWriter) throws -> Void
    ) throws {
        try WholeSession.write(to: output) { path in
            let writer = try SessionLogWriter(path, header: header)
            defer { writer.close() }
            try append(header.imported?.usage?.downloads ?? [], to: writer) { .downloads($0) }
            try append(images, to: writer) { .image($0) }
            try appendViews(writer)
        }
    }

    /// Says what was written, and what was assumed.
    static func note(
        _ output: String,
        viewCount: Int64,
        userCount: Int64,
        header: SessionHeader,
        imageCount: Int,
        passedOver: LoggedDownloads.PassedOver?
    ) {
        let imported = header.imported
        Terminal.note(
            """
            \(output): \(Figure.counted(viewCount, noun: "view")) of \
            \(Figure.counted(userCount, noun: "user")), inferred from \
            \(Figure.counted(imported?.downloadCount ?? 0, noun: "download")) of \
            \(Figure.counted(Int64(imageCount), noun: "image"))\(passedOver.map(note) ?? "")
            assumed:
            """
        )
        for assumption in imported?.assumptions ?? [] { Terminal.note("  - \(assumption)") }
    }

    private static func note(_ passedOver: LoggedDownloads.PassedOver) -> String {
        let notes = [
            (passedOver.otherHostCount, "to servers other than Firebase's"),
            (passedOver.duplicateCount, "named twice"), (passedOver.otherCount, "for something else"),
        ].filter { $0.0 > 0 }.map { "\(Figure.counted($0.0, noun: "request")) \($0.1)" }
        let others = notes.isEmpty ? "" : ", but " + notes.joined(separator: ", ")
        return others + (passedOver.unreadable.sentence.map { "; \($0)" } ?? "")
    }

    /// Appends entries, written as lines on all cores.
    private static func append<Element: Sendable>(
        _ elements: [Element],
        to writer: SessionLogWriter,
        as entry: @Sendable (Element) -> SessionEntry
    ) throws(SessionLogError) {
        let count = (elements.count + blockCount - 1) / blockCount
        try GroupQueue.inOrder(count) { (block) throws(SessionLogError) in
            try SessionLines(elements.dropFirst(block * blockCount).prefix(blockCount).map(entry))
        } take: { (lines) throws(SessionLogError) in
            try writer.append(lines)
        }
    }
}
