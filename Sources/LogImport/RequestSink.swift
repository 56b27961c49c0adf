// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Takes in the requests of a log, one after the other.
package protocol RequestSink {
    /// Takes in a request, whose texts hold until this returns.
    mutating func take(_ request: borrowing LoggedRequest) throws
}
