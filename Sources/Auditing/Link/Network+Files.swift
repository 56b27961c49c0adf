// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON

extension Network {
    private static let fileSchema = "firemeter.networks/1"

    /// The network that reports are about unless another is named.
    package static let `default` = shipped("4g")

    /// The networks that ship.
    package static let shipped: [Network] = {
        let text = PackageResources.networks_json
        guard let file = try? JSONFile("networks.json", schema: fileSchema, text: text),
            let networks = try? all(in: file)
        else {
            preconditionFailure("the networks ship, and their file is right")
        }
        return networks
    }()

    /// Finds a network that ships by its name, or reads a file of one: `{"schema":"firemeter.networks/1","networks":[…]}`.
    package init(named name: String) throws(AuditError) {
        if let network = Self.shipped.first(where: { $0.name == name }) {
            self = network
            return
        }
        guard FileManager.default.fileExists(atPath: name) else {
            let names = Self.shipped.map(\.name).joined(separator: ", ")
            throw AuditError(code: .usage, description: "'\(name)' is no file, and none of the networks \(names)")
        }
        let networks = try Self.all(in: try JSONFile(name, what: "network", schema: Self.fileSchema))
        guard networks.count == 1 else {
            throw AuditError(code: .usage, description: "\(name) has \(networks.count) networks; expected one")
        }
        self = networks[0]
    }

    private static func shipped(_ name: String) -> Network {
        guard let network = shipped.first(where: { $0.name == name }) else {
            preconditionFailure("the network \(name) ships")
        }
        return network
    }

    private static func all(in file: JSONFile) throws(AuditError) -> [Network] {
        guard let elements = file.value["networks"]?.array else {
            throw file.wrong(["networks"], problem: "expected a list of 'networks'")
        }
        var networks: [Network] = []
        for index in elements.indices { networks.append(try network(elements[index], number: index, in: file)) }
        return networks
    }

    private static func network(_ element: JSONValue, number: Int, in file: JSONFile) throws(AuditError) -> Network {
        func figure(_ key: String, in range: ClosedRange<Double>) throws(AuditError) -> Double {
            guard let figure = element[key]?.double, range.contains(figure) else {
                let problem = "'\(key)' must be a number from \(range.lowerBound) to \(range.upperBound)"
                throw file.wrong(["networks", String(number), key], problem: problem)
            }
            return figure
        }
        guard let name = element["name"]?.string else {
            throw file.wrong(["networks", String(number)], problem: "'name' is missing")
        }
        return Network(
            name: name,
            title: element["title"]?.string ?? name,
            downBitsPerSecond: Int64(1_000 * (try figure("downKilobitsPerSecond", in: 1...100_000_000))),
            roundTrip: Int64(1_000_000 * (try figure("roundTripMilliseconds", in: 0...60_000))),
            lossPerMillion: element["lossPercent"] == nil ? 0 : Int64(10_000 * (try figure("lossPercent", in: 0...50))),
            source: [element["source"]?.string, element["asOf"]?.string].compactMap(\.self).joined(separator: ", ")
        )
    }
}
