// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

/// A script played by a client: what was seen, and how many downloads it took.
struct Performance {
    private(set) var seen: [Data] = []
    /// The pictures that were shown as they are not.
    private(set) var wrongPictures: [Int] = []
    private let transport: StallingTransport

    init(storage: URL) {
        transport = StallingTransport(URLSessionTransport(), storage: storage)
    }

    /// The downloads that the client has begun.
    var downloadCount: Int { transport.downloadCount }
    /// The network of the client's downloads.
    var clientTransport: any HTTPTransport { transport }

    mutating func play(_ steps: [Step], by client: any ImageClient, on stage: inout Stage) async throws {
        for step in steps {
            switch step {
            case .show(let numbers):
                for number in numbers { try await see(number, stage) { try await client.show($0) } }
            case .showUnversioned(let number): try await see(number, stage) { try await client.showUnversioned($0) }
            case .glance(let number, let count): await glance(stage.pictures[number], count, by: client)
            case .relaunch: await client.relaunch()
            case .wait(let seconds): await client.wait(seconds: seconds)
            case .replace(let number): try await stage.replace(number)
            case .changeToken(let number): try await stage.changeToken(number)
            case .upload(let number):
                let data = try await stage.replace(number)
                await client.hasUploaded(stage.pictures[number], data)
            }
        }
        await client.settle()
    }

    private mutating func see(
        _ number: Int,
        _ stage: Stage,
        _ show: (Picture) async throws -> Data
    ) async throws {
        let data = try await show(stage.pictures[number])
        if let expected = stage.contents[number], expected != data { wrongPictures.append(number) }
        seen.append(data)
    }

    private func glance(_ picture: Picture, _ kibibyteCount: Int, by client: any ImageClient) async {
        let reached = transport.stall(picture.objectName, afterKibibytes: kibibyteCount)
        let load = Task { try await client.show(picture) }
        let watch = Task { for await _ in reached {} }
        // Images in a cache, or with fewer bytes to come, arrive earlier.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await load.value }
            group.addTask { await watch.value }
            await group.next()
            load.cancel()
            watch.cancel()
        }
        _ = try? await load.value
        transport.forget(picture.objectName)
        await client.settle()
    }
}

/// A client has shown another picture than the server has, or than another client.
struct WrongPicture: Error, CustomStringConvertible {
    let session: String
    let client: String
    let number: Int?

    var description: String {
        "\(session): \(client) has shown other pictures than there are" + (number.map { " (\($0))" } ?? "")
    }
}
