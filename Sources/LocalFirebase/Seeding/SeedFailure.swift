// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The part of a data set that cannot be loaded.
enum SeedFailure: Error, CustomStringConvertible {
    case badBucket(String)
    case badObject(String)
    case cannotResize(String, any Error)
    case objectCutShort(String)

    var description: String {
        switch self {
        case .badBucket(let name): "'\(name)' is no bucket name"
        case .badObject(let name): "'\(name)' is no object name"
        case .cannotResize(let name, let error): "cannot make a smaller copy of \(name): \(error)"
        case .objectCutShort(let name): "\(name) was changed while it was read"
        }
    }
}
