// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Trials of the client, where processes can be started and killed, or compare it with others:
//
//     FeedTrial crash --directory DIR [--seed N] [--views N]      loads images into DIR until it is killed
//     FeedTrial stress --storage URL --directory DIR [--images N] [--workers N] [--views N] [--seed N]
//
//     FeedTrial colors|reduced-colors|blurhashes FILE...      what it makes of images, a line each
//     FeedTrial images        the same for any files, whose paths are lines of standard input: a line of JSON each
//
// The first says "begun", and "WRONG image N" if it is shown one; the second prints a summary as JSON.

import Foundation
import Imaging

let options = TrialOptions(CommandLine.arguments.dropFirst(2))
let seed = UInt64(options.number("seed", 1))

switch (CommandLine.arguments.dropFirst().first, options.text("directory")) {
case ("crash", let directory?):
    var trial = try CrashTrial(directory: directory, seed: seed)
    await trial.run(viewCount: options.number("views", 1_000_000))
case ("stress", let directory?):
    guard let storage = options.text("storage").flatMap({ URL(string: $0) }) else { exit(64) }
    let trial = StressTrial(
        storage: storage,
        directory: URL(fileURLWithPath: directory),
        imageCount: options.number("images", 10_000),
        workerCount: options.number("workers", 64),
        viewsPerImage: options.number("views", 4),
        seed: seed
    )
    print(String(decoding: try JSONEncoder().encode(try await trial.run()), as: UTF8.self))
case ("colors", _): try ImageTrial.printLines { try RGBColor.dominant(ofEncoded: $0) }
case ("reduced-colors", _): try ImageTrial.printLines { try RGBColor.dominant(ofEncoded: $0, sampling: .reducedSize) }
case ("images", _): ImageTrial.printReports()
case ("blurhashes", _): try ImageTrial.printLines { try BlurHash(ofEncoded: $0) }
default:
    FileHandle.standardError.write(Data("usage: FeedTrial crash|stress --directory DIR …\n".utf8))
    exit(64)
}
