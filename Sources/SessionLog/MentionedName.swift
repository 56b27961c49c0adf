// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of objects in a field's text: a path, an address of any of Cloud Storage's hosts, or a part of a name.
package enum MentionedName {
    /// The texts to hash: for an address the object's name, without its token; for anything else the text itself.
    package static func texts(in text: String) -> [String] {
        guard let address = objectName(inAddress: text) else { return [text] }
        return [address]
    }

    /// The object's name in an address, such as `https://…/v0/b/B/o/u1%2Fp1%2F0?alt=media&token=…` or `gs://B/u1/p1/0`;
    /// `nil` for any other text.
    static func objectName(inAddress text: String) -> String? {
        guard let scheme = text.range(of: "://") else { return nil }
        let rest = text[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let segments = rest.split(separator: "/", omittingEmptySubsequences: false)
        if text.hasPrefix("gs://") { return joined(segments.dropFirst()) }
        // /v0/b/B/o/NAME of Firebase, /storage/v1/b/B/o/NAME of the JSON API: the name is one segment.
        if let place = segments.firstIndex(of: "o"), place >= 2, segments[place - 2] == "b" {
            return joined(segments[(place + 1)...]).flatMap(\.removingPercentEncoding)
        }
        // storage.googleapis.com/B/NAME.
        guard segments.first?.hasPrefix("storage.") == true else { return nil }
        return joined(segments.dropFirst(2)).flatMap(\.removingPercentEncoding)
    }

    private static func joined(_ segments: ArraySlice<Substring>) -> String? {
        let name = segments.joined(separator: "/")
        return name.isEmpty ? nil : name
    }
}
