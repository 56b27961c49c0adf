// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Auditing
import LogImport

/// `firemeter audit import-part`.
struct ImportPartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-part",
        abstract: "Import logs that are too many for one process, in steps.",
        discussion: """
            Each split of the logs is read by itself; its requests are shared out by their users, and counted for some users at a \
            time; when all are counted, their views are inferred likewise. Each step writes what it adds to the import as a line of \
            JSON, and 'merge' adds such lines up, in any order. The session is that of 'firemeter audit import' on \
            all logs at once, to the byte. tools/spark runs these steps on Apache Spark.

            Example, two hours of a log, and all users at a time:
              firemeter audit import-part read usage_00.csv --number 0 --requests 0.bin >0.json
              firemeter audit import-part read usage_01.csv --number 1 --requests 1.bin >1.json
              firemeter audit import-part merge 0.json 1.json >names.json
              firemeter audit import-part count 0.bin 1.bin --part names.json |
                firemeter audit import-part merge - names.json >counted.json
              firemeter audit import-part view 0.bin 1.bin --part counted.json --views views.txt |
                firemeter audit import-part merge - counted.json >all.json
              LC_ALL=C sort views.txt | firemeter audit import-part join - --part all.json --output session.log
            """,
        subcommands: [Read.self, Count.self, View.self, MergeParts.self, Join.self]
    )

    /// Reads the sum of all lines in files; `-` is standard input.
    static func sum(of paths: [String]) throws -> ImportPart {
        var sum = ImportParts()
        for name in paths {
            let isPart = try ImportPart.forEach(at: try InputLog.path(name), named: name) { part in
                if let problem = part.problem {
                    throw CommandFailure(exitCode: 65, message: "\(name) is no \(ImportPart.noun): \(problem)")
                }
                sum.add(part)
            }
            guard isPart else { throw CommandFailure(exitCode: 65, message: "\(name) is no \(ImportPart.noun)") }
        }
        return sum.whole
    }
}

/// What all steps after the first are given alike.
struct ImportPartOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What the former steps added, merged.", valueName: "file"))
    var part: String
    @OptionGroup var inference: InferenceOptions
    @Option(help: ArgumentHelp("The objects' sizes, as of 'firemeter audit import'.", valueName: "file"))
    var sizes: String?

    func sum() throws -> ImportPart { try ImportPartCommand.sum(of: [part]) }

    func session(_ part: ImportPart) throws -> SharedImport {
        try SharedImport(
            part,
            layouts: inference.layouts(),
            rules: inference.rules,
            sizes: sizes.map { try ObjectListing($0) }
        )
    }
}
