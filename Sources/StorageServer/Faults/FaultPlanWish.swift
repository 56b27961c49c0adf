// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a request to make a plan asks for, validated.
struct FaultPlanWish {
    /// The largest request, in bytes.
    static let byteCountMax = 64 << 10

    let transport: FaultPlan.Transport
    let faults: [String: [Fault]]

    private struct Body: Decodable {
        var instructions: [String: [String]]?
        var transport: String?
    }

    /// Reads the JSON; returns `nil` when it asks for no fault.
    init?(_ json: [UInt8]) throws(StorageFailure) {
        let body: Body
        do {
            body = try JSONDecoder().decode(Body.self, from: Data(json))
        } catch {
            throw .invalid("The body must be a JSON object; instructions hold lists of strings by method.")
        }
        guard let instructions = body.instructions, !instructions.isEmpty else { return nil }
        let name = body.transport ?? FaultPlan.Transport.http.rawValue
        guard let transport = FaultPlan.Transport(rawValue: name.uppercased()) else {
            throw .invalid("The requested transport <\(name)> is not supported; it must be HTTP or GRPC.")
        }
        self.transport = transport
        faults = try Self.faults(instructions)
    }

    private static func faults(_ instructions: [String: [String]]) throws(StorageFailure) -> [String: [Fault]] {
        var faults: [String: [Fault]] = [:]
        for (method, texts) in instructions.sorted(by: { $0.key < $1.key }) {
            guard Fault.methods.contains(method) else {
                throw .invalid("The requested method <\(method)> for fault injection is invalid.")
            }
            var queue: [Fault] = []
            for text in texts {
                guard let fault = Fault(text) else {
                    throw .invalid("The fault injection request <\(text)> is invalid.")
                }
                queue.append(fault)
            }
            faults[method] = queue
        }
        return faults
    }
}
