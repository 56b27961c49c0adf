// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import TestSupport
import Testing

/// The time of every test: 2026-09-30, in microseconds since the Unix epoch.
let testTime: Int64 = 1_790_789_164_648_913

extension SQLiteObjectStore {
    static func make(
        _ directory: TemporaryDirectory,
        at time: Int64 = testTime,
        objectByteCountMax: Int64 = ObjectStoreConfiguration.objectByteCountMaxDefault
    ) throws -> SQLiteObjectStore {
        try SQLiteObjectStore(
            directory: directory.path,
            clock: { time },
            configuration: ObjectStoreConfiguration(durability: .relaxed, objectByteCountMax: objectByteCountMax)
        )
    }

    @discardableResult
    func put(
        _ bytes: [UInt8],
        at path: ObjectPath,
        attributes: ObjectAttributes = ObjectAttributes(),
        preconditions: ObjectPreconditions = .none,
        expected: ExpectedDigest = .anything
    ) throws -> ObjectMetadata {
        let upload = try beginUpload()
        try bytes.withUnsafeBytes { try upload.append($0) }
        return try upload.commit(
            UploadPlacement(
                path: path,
                attributes: attributes,
                preconditions: preconditions,
                expected: expected
            )
        )
    }

    func bytes(at path: ObjectPath) throws -> [UInt8]? {
        try open(path)?.bytes()
    }
}

extension ObjectReader {
    /// Reads everything in pieces of an awkward size.
    func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_537)
        while true {
            let count = try piece.withUnsafeMutableBytes { try read(at: Int64(bytes.count), into: $0) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }
}

extension ObjectPath {
    /// The path of a name in the bucket `bkt`.
    static func named(_ name: String) throws -> ObjectPath {
        try #require(ObjectPath(bucket: "bkt", name: name))
    }
}

/// Returns the code of the store's error that the body throws, `nil` when it throws none.
func errorCode(_ body: () throws -> Void) throws -> ObjectStoreError.Code? {
    do {
        try body()
        return nil
    } catch let error as ObjectStoreError {
        return error.code
    }
}
