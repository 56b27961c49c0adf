// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// The body of a request to make an object of parts.
enum PartCompletion {
    /// Reads the document: parts by rising numbers, one at least.
    static func parts(_ element: XMLElement) throws(XMLFailure) -> [NamedPart] {
        let list = element.all("Part")
        guard element.name == "CompleteMultipartUpload", (1...StoredPart.numbers.count).contains(list.count) else {
            throw .malformedXML("The document must be a CompleteMultipartUpload with 1 to 10000 elements Part.")
        }
        var parts: [NamedPart] = []
        for part in list {
            guard let number = part["PartNumber"].flatMap({ Int($0.text.filter { !$0.isWhitespace }) }),
                StoredPart.numbers.contains(number), let tag = part["ETag"]?.text
            else { throw .malformedXML("Each Part needs a PartNumber from 1 to 10000 and an ETag.") }
            guard parts.last.map({ $0.number < number }) ?? true else { throw .invalidPartOrder }
            parts.append(NamedPart(number: number, entityTag: tag.filter { $0 != "\"" && !$0.isWhitespace }))
        }
        return parts
    }
}

extension XMLFailure {
    fileprivate static let invalidPartOrder = Self(
        400,
        code: "InvalidPartOrder",
        message:
            "The list of parts was not in ascending order. The parts list must be specified in order by part number."
    )

    /// Says what a store of parts refuses.
    init(_ error: PartStoringError) {
        switch error {
        case .noSuchUpload: self = .noSuchUpload
        case .wrongKey: self = .invalidArgument("The provided encryption key is incorrect.")
        case .partMissing(let number):
            self.init(
                400,
                code: "InvalidPart",
                message:
                    "One or more of the specified parts could not be found or did not have the specified entity tag.",
                details: "Part \(number)"
            )
        }
    }
}
