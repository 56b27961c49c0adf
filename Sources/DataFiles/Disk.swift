// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file system below a path.
package enum Disk {
    /// Less room than this is none: a database takes more to be opened.
    private static let byteCountMin: Int64 = 64 << 10

    /// Whether there is no room left.
    package static func isFull(at path: String) -> Bool { byteCounts(at: path).available < byteCountMin }

    /// How large it is, and how much of it this process can still use; 0 where that is unknown.
    static func byteCounts(at path: String) -> (whole: Int64, available: Int64) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return (0, 0) }
        let unit = Int64(status.f_frsize)
        return (Int64(status.f_blocks) * unit, Int64(status.f_bavail) * unit)
    }

    /// Gives the beginning of a file its space on the disk; returns 0 or an error number.
    static func allocate(_ byteCount: Int64, for descriptor: CInt) -> CInt {
        #if os(Linux)
        while true {
            let error = posix_fallocate(descriptor, 0, off_t(byteCount))
            if error != EINTR { return error }
        }
        #else
        // Elsewhere only bytes that are written have their space.
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        var offset: Int64 = 0
        while offset < byteCount {
            let count = pwrite(descriptor, zeros, min(zeros.count, Int(byteCount - offset)), off_t(offset))
            if count < 0 && errno != EINTR { return errno }
            offset += Int64(max(0, count))
        }
        return 0
        #endif
    }
}
