// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The documents or the object of a request, for a recorder of sessions.
///
/// Made only while a session is recorded. Records are compared without it.
package protocol UsageDetail: AnyObject, Sendable {}
