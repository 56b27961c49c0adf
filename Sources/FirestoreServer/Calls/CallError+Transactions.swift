// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension CallError {
    static let transactionMissing = invalid("The request names no transaction.")
}
