// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import Wire

/// Runs calls on the executor that their handlers may block.
final class GRPCCalls: Sendable {
    let limits: GRPCLimits
    let methods: MethodTable
    let transport: WireServerTransport
    let executor: BlockingExecutor
    let running = RunningWork()

    init(limits: GRPCLimits, methods: MethodTable, transport: WireServerTransport, executor: BlockingExecutor) {
        self.limits = limits
        self.methods = methods
        self.transport = transport
        self.executor = executor
    }

    /// Begins a call; called on the connection's event loop.
    func start(
        _ stream: GRPCStream,
        descriptor: MethodDescriptor,
        for call: GRPCCall,
        on connection: StreamConnection
    ) {
        running.began()
        let task = Task(executorPreference: executor) { [self] in
            await run(stream, descriptor: descriptor, for: call, on: connection)
            running.ended()
        }
        stream.started(task)
    }

    private func run(
        _ stream: GRPCStream,
        descriptor: MethodDescriptor,
        for call: GRPCCall,
        on connection: StreamConnection
    ) async {
        if let handler = await transport.handler() {
            await withServerContextRPCCancellationHandle { cancellation in
                stream.attach(cancellation)
                var context = ServerContext(
                    descriptor: descriptor,
                    remotePeer: connection.remotePeer,
                    localPeer: connection.localPeer,
                    cancellation: cancellation
                )
                context.transportSpecific = call
                let rpc = RPCStream(
                    descriptor: descriptor,
                    inbound: RPCAsyncSequence(wrapping: GRPCInbound(stream: stream)),
                    outbound: RPCWriter.Closable(wrapping: GRPCOutbound(stream: stream))
                )
                await handler(rpc, context)
            }
        }
        stream.handlerEnded()
    }
}
