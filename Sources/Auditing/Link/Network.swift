// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONReading

/// A network between an app and its servers: how many bytes pass, and how long one takes.
package struct Network: Sendable, Hashable {
    /// The name, as `--network` takes it.
    package let name: String
    /// The name for people.
    package let title: String
    /// Bits per second towards the app.
    package let downBitsPerSecond: Int64
    /// Nanoseconds from a request to the first byte of an answer that takes no time to make.
    package let roundTrip: Int64
    /// Packets that are lost, of a million.
    package let lossPerMillion: Int64
    /// Where the figures are from, and of which day.
    package let source: String

    /// Creates a network.
    package init(
        name: String,
        title: String = "",
        downBitsPerSecond: Int64,
        roundTrip: Int64,
        lossPerMillion: Int64 = 0,
        source: String = ""
    ) {
        precondition(downBitsPerSecond > 0 && roundTrip >= 0, "a network without bits never ends")
        self.name = name
        self.title = title
        self.downBitsPerSecond = downBitsPerSecond
        self.roundTrip = roundTrip
        self.lossPerMillion = lossPerMillion
        self.source = source
    }
}

extension Network {
    /// The network that reports are about unless another is named.
    package static let `default` = shipped("4g")

    /// The networks that ship.
    package static let shipped: [Network] = {
        guard let networks = try? read(PackageResources.networks_json, from: "networks.json") else {
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
        guard let text = FileManager.default.contents(atPath: name) else {
            let names = Self.shipped.map(\.name).joined(separator: ", ")
            throw AuditError(code: .usage, description: "'\(name)' is no file, and none of the networks \(names)")
        }
        let networks = try Self.read(Array(text), from: name)
        guard networks.count == 1 else {
            throw AuditError(code: .usage, description: "\(name) has \(networks.count) networks; expected one")
        }
        self = networks[0]
    }

    private static func double(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let digits): Double(digits)
        default: nil
        }
    }

    private static func shipped(_ name: String) -> Network {
        guard let network = shipped.first(where: { $0.name == name }) else {
            preconditionFailure("the network \(name) ships")
        }
        return network
    }

    private static func read(_ text: [UInt8], from path: String) throws(AuditError) -> [Network] {
        func wrong(_ line: Int, _ problem: String) -> AuditError {
            AuditError(code: .usage, description: "\(path), line \(line): \(problem)")
        }
        let json: LocatedJSON
        do throws(JSONError) {
            json = try LocatedJSON(parsing: text)
        } catch {
            throw wrong(LocatedJSON.line(of: error, in: text), error.message)
        }
        guard json.value["schema"]?.string == "firemeter.networks/1", let elements = json.value["networks"]?.array
        else {
            throw wrong(json.line(of: ["schema"]), "expected the schema 'firemeter.networks/1' and 'networks'")
        }
        var networks: [Network] = []
        for (index, element) in elements.enumerated() {
            func number(_ key: String, _ range: ClosedRange<Double>) throws(AuditError) -> Double {
                guard let number = Self.double(element[key]), range.contains(number) else {
                    let problem = "'\(key)' must be a number from \(range.lowerBound) to \(range.upperBound)"
                    throw wrong(json.line(of: ["networks", String(index), key]), problem)
                }
                return number
            }
            guard let name = element["name"]?.string else {
                throw wrong(json.line(of: ["networks", String(index)]), "'name' is missing")
            }
            networks.append(
                Network(
                    name: name,
                    title: element["title"]?.string ?? name,
                    downBitsPerSecond: Int64(1_000 * (try number("downKilobitsPerSecond", 1...100_000_000))),
                    roundTrip: Int64(1_000_000 * (try number("roundTripMilliseconds", 0...60_000))),
                    lossPerMillion: element["lossPercent"] == nil
                        ? 0 : Int64(10_000 * (try number("lossPercent", 0...50))),
                    source: [element["source"]?.string, element["asOf"]?.string].compactMap(\.self)
                        .joined(separator: ", ")
                )
            )
        }
        return networks
    }
}
