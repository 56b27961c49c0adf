// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging

/// Says what the client makes of image files, for comparison with other programs.
enum ImageTrial {
    /// Prints a line for each file of the command line.
    static func printLines(_ describe: ([UInt8]) throws -> some CustomStringConvertible) throws {
        for path in CommandLine.arguments.dropFirst(2) {
            print(try describe(Array(Data(contentsOf: URL(fileURLWithPath: path)))))
        }
    }

    /// Prints a report of each file that standard input names.
    static func printReports() {
        while let path = readLine() {
            guard let file = try? Data(contentsOf: URL(fileURLWithPath: path)),
                let report = try? JSONEncoder().encode(ImageReport(of: Array(file), path: path))
            else { continue }
            // At once, so that a reader knows which file a crash is of.
            FileHandle.standardOutput.write(report + Data("\n".utf8))
        }
    }
}
