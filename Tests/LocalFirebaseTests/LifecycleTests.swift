// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalFirebase
import TestSupport
import Testing
import TinyFeed

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct LifecycleTests {
    private struct BodyFailure: Error, Equatable {}

    private func configuration(in directory: TemporaryDirectory) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(now: { 0 })
        configuration.ports = .free
        configuration.temporaryDirectory = directory.path
        return configuration
    }

    @Test func `serves at free ports and removes its temporary directory`() async throws {
        let directory = TemporaryDirectory()
        let addresses = try await Emulator(configuration(in: directory)).run { addresses in
            #expect(directory.names().count == 1)
            for address in [addresses.firestore, addresses.storage, addresses.console] {
                let url = try #require(URL(string: "http://\(address)/"))
                #expect(try await URLSession.shared.data(from: url).0.isEmpty == false)
            }
            return addresses
        }
        let ports = addresses.ports
        #expect(Set([ports.firestore, ports.storage, ports.console, 0]).count == 4)
        #expect(addresses.console == "127.0.0.1:\(ports.console)")
        #expect(directory.names().isEmpty)
    }

    @Test func `passes on the error of its body`() async throws {
        let directory = TemporaryDirectory()
        await #expect(throws: BodyFailure()) {
            try await Emulator(configuration(in: directory)).run { _ in throw BodyFailure() }
        }
        #expect(directory.names().isEmpty)
    }

    @Test func `says which port is in use`() async throws {
        let directory = TemporaryDirectory()
        try await Emulator(configuration(in: directory)).run { addresses in
            var second = configuration(in: directory)
            second.ports.storage = addresses.ports.storage
            let error = await #expect(throws: EmulatorError.self) { try await Emulator(second).run { _ in } }
            #expect(error?.code == .unavailable)
            #expect(error?.exitCode == 69)
            #expect(error?.description.hasPrefix("cannot listen on \(addresses.storage): the port is in use") == true)
            #expect(directory.names().count == 1)
        }
    }

    @Test func `removes its temporary directory when a room cannot be opened`() async throws {
        let directory = TemporaryDirectory()
        var configuration = configuration(in: directory)
        configuration.recordPath = directory.file("no/such/folder/session.log")
        let error = await #expect(throws: EmulatorError.self) { try await Emulator(configuration).run { _ in } }
        #expect(error?.code == .inputOutput)
        #expect(error?.exitCode == 74)
        #expect(error?.description.hasPrefix("cannot open the session log: ") == true)
        #expect(directory.names().isEmpty)
    }

    @Test func `names a data directory that cannot be made`() async throws {
        let directory = TemporaryDirectory()
        try directory.write([], to: "file")
        var configuration = configuration(in: directory)
        configuration.storage = .directory(directory.file("file/data"))
        let error = await #expect(throws: EmulatorError.self) { try await Emulator(configuration).run { _ in } }
        #expect(error?.code == .inputOutput)
        #expect(error?.description.hasPrefix("cannot open the data directory \(directory.path)/file/data: ") == true)
    }

    @Test func `counts nothing when it is told not to`() async throws {
        let directory = TemporaryDirectory()
        var configuration = configuration(in: directory)
        configuration.isMetered = false
        try await Emulator(configuration).run { addresses in
            let url = try #require(URL(string: "http://\(addresses.console)/usage"))
            let (_, response) = try await URLSession.shared.data(from: url)
            #expect((response as? HTTPURLResponse)?.statusCode == 409)
        }
    }
}
