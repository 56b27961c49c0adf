// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A TCP relay that counts, on its own, the bytes of both directions: the witness against which the meter is held.
package final class LoopbackRelay: Sendable {
    private let relaying: Relaying

    /// The port on which the relay accepts connections.
    package let port: UInt16

    /// Sees what a client sent, as it arrives; the bytes that it returns are the answer in the server's place.
    package typealias Interception = @Sendable (_ sent: [UInt8]) -> [UInt8]?

    /// Starts to relay connections to a port of this machine.
    package init(to target: UInt16, intercepting answer: @escaping Interception = { _ in nil }) throws {
        let listener = try LoopbackSocket.listening()
        relaying = Relaying(from: listener, to: target, intercepting: answer)
        port = listener.port
        Thread.detachNewThread { [relaying] in relaying.acceptConnections() }
    }

    // The thread that accepts does not keep the relay, and ends with it.
    deinit { relaying.stopAccepting() }

    /// Bytes that clients sent through the relay.
    package var clientToServer: Int64 { relaying.toServer.load(ordering: .sequentiallyConsistent) }
    /// Bytes that reached the relay from the server.
    package var serverToClient: Int64 { relaying.toClient.load(ordering: .sequentiallyConsistent) }

    /// Stops accepting and returns when every relayed connection has ended.
    package func finish() {
        relaying.stopAccepting()
        relaying.connections.wait()
    }
}

/// The state that the threads of a relay share.
private final class Relaying: Sendable {
    private let listener: LoopbackSocket
    private let target: UInt16
    private let answer: LoopbackRelay.Interception
    let toServer = Atomic<Int64>(0)
    let toClient = Atomic<Int64>(0)
    let connections = DispatchGroup()

    init(from listener: LoopbackSocket, to target: UInt16, intercepting answer: @escaping LoopbackRelay.Interception) {
        (self.listener, self.target, self.answer) = (listener, target, answer)
    }

    func stopAccepting() { listener.shutdownBoth() }

    func acceptConnections() {
        while let client = listener.accepted() {
            guard let server = try? LoopbackSocket.connected(to: target) else { continue }
            connections.enter()
            connections.enter()
            Thread.detachNewThread { [self] in
                pumpToServer(from: client, to: server)
                connections.leave()
            }
            Thread.detachNewThread { [self] in
                pumpToClient(from: server, to: client)
                connections.leave()
            }
        }
    }

    private func pumpToServer(from client: LoopbackSocket, to server: LoopbackSocket) {
        while true {
            // A reset is passed on as one, by the other thread: to the server the end of the sending side is not the same.
            guard let bytes = client.receive() else { return server.shutdownReceiving() }
            if bytes.isEmpty { break }
            if let answer = answer(bytes) {
                client.send(answer)
                continue
            }
            guard server.send(bytes) else { return }
            toServer.add(Int64(bytes.count), ordering: .sequentiallyConsistent)
        }
        server.shutdownSending()
    }

    private func pumpToClient(from server: LoopbackSocket, to client: LoopbackSocket) {
        while let bytes = server.receive(), !bytes.isEmpty {
            toClient.add(Int64(bytes.count), ordering: .sequentiallyConsistent)
            guard client.send(bytes) else { return breakOff(server) }
        }
        if !client.shutdownSending() { breakOff(server) }
    }

    /// The client is gone: counts what the kernel still received from the server, then resets the connection.
    private func breakOff(_ server: LoopbackSocket) {
        // The server stalls on our full receive buffer; only then is nothing under way between the two kernels. A
        // shorter rest may be a pause of a busy machine.
        let lookCountAtRest = 20
        var (unread, sameCount) = (-1, 0)
        while sameCount < lookCountAtRest {
            let count = server.unreadByteCount
            sameCount = count == unread ? sameCount + 1 : 0
            unread = count
            Thread.sleep(forTimeInterval: 0.05)
        }
        toClient.add(Int64(unread), ordering: .sequentiallyConsistent)
        server.reset()
    }
}
