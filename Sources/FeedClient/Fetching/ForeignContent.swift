// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Recognizes pages and messages that come in place of images: a network that wants a login answers for every host, with 200 and a page.
///
/// Only what is surely no image is refused: formats that nothing here knows are a screen's to judge.
enum ForeignContent {
    /// The bytes that are looked at; as many as browsers look at (WHATWG MIME Sniffing, section 5.2, 2026).
    private static let sniffedByteCount = 1_445
    private static let textTypes: Set<String> = [
        "application/json", "application/problem+json", "application/xml", "application/xhtml+xml",
        "application/javascript",
    ]
    private static let pageBeginnings = ["<!doctype html", "<html", "<head", "<body", "<script"]

    /// Its name in messages; `nil` for what may be an image.
    static func name(of data: Data, contentType: String?) -> String? {
        let beginning = data.prefix(sniffedByteCount)
        guard isText(beginning) else { return nil }
        let type = contentType?.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        if let type, type.hasPrefix("text/") || textTypes.contains(type) { return type }
        let text = String(decoding: beginning, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return pageBeginnings.contains { text.lowercased().hasPrefix($0) } ? "a page of HTML" : nil
    }

    /// Whether none of the bytes is one that texts do not have (MIME Sniffing, "binary data byte"); false for nothing.
    private static func isText(_ bytes: Data) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
    }
}
