// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The official emulator hangs where these are answered.
extension CallError {
    static let writeStreamOpenedWithWrites = invalid(
        "The first message of a Write stream opens it and carries no writes; send them from the second on."
    )

    static let writeStreamDatabaseChanged = invalid("A Write stream keeps the database of its first message.")

    static let listenDatabaseChanged = invalid("A Listen stream keeps the database of its first message.")

    static let listenWithoutTarget = invalid("A ListenRequest needs add_target or remove_target.")

    static let targetWithoutType = invalid("A Target needs a query or documents.")
}
