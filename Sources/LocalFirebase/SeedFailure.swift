// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names in a data set that the services refuse.
enum SeedFailure: Error, CustomStringConvertible {
    case badBucket(String)
    case badObject(String)

    var description: String {
        switch self {
        case .badBucket(let name): "'\(name)' is no bucket name"
        case .badObject(let name): "'\(name)' is no object name"
        }
    }
}
