// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension ObjectStoreError {
    /// A fault of the system call that has just failed; reads `errno`.
    static func system(_ operation: String, _ path: String) -> Self {
        system(operation, path, number: errno)
    }

    /// A fault of a system call that gave this error number.
    static func system(_ operation: String, _ path: String, number: CInt) -> Self {
        Self(
            code: code(number),
            message: "cannot \(operation) \(path): \(String(cString: strerror(number)))"
        )
    }

    private static func code(_ number: CInt) -> Code {
        switch number {
        case EACCES, EPERM, EROFS: .directoryNotWritable
        case ENOSPC, EDQUOT: .diskFull
        default: .inputOutput
        }
    }
}
