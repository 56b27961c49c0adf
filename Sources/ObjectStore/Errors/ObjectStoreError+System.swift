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

    private static func system(_ operation: String, _ path: String, number: CInt) -> Self {
        Self(
            code: isRefusal(number) ? .directoryNotWritable : .inputOutput,
            message: "cannot \(operation) \(path): \(String(cString: strerror(number)))"
        )
    }

    private static func isRefusal(_ number: CInt) -> Bool {
        [EACCES, EPERM, EROFS].contains(number)
    }
}
