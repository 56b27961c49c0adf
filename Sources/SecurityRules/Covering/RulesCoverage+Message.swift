// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension RulesCoverage {
    /// The member `report` of a message, the tree of the file's expressions; nothing where it has none.
    func addReport(to message: inout MessageText) {
        let source = SourceText(rules.source)
        message.member("report", list: nodes) { text, node in text.add(node, in: source) }
    }
}

extension MessageText {
    fileprivate mutating func add(_ node: CoverageNode, in source: SourceText) {
        object { text in
            text.add(node.position)
            text.member("values", list: node.counts) { text, count in
                text.object { text in
                    text.member("value") { text in
                        text.object { text in
                            if let value = count.value { text.add(value, in: source) }
                        }
                    }
                    text.member("count", number: count.count)
                }
            }
            text.member("children", list: node.children) { text, child in text.add(child, in: source) }
        }
    }
}

/// A file of rules as it was given, for a report.
package struct RulesSource: Sendable {
    package let content: String
    package let name: String?

    /// Creates a file.
    package init(content: String, name: String? = nil) { (self.content, self.name) = (content, name) }

    /// The rules of a project that has none, in the official emulator's words (1.19.9, 2026-11).
    package static let open = RulesSource(
        content: """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /{document=**} {
                  allow read, write: if true;
                }
              }
            }
            """,
        name: "OPEN_RULES"
    )

    /// The report of files of which the first is in force, as JSON in the official emulator's form (1.19.9, 2026-11).
    package static func report(of files: [RulesSource], _ coverage: RulesCoverage?) -> String {
        var message = MessageText()
        message.object { text in
            text.member("rules") { text in
                text.object { text in
                    text.member("files", list: files) { text, file in
                        text.object { text in
                            text.member("content", string: file.content)
                            if let name = file.name { text.member("name", string: name) }
                        }
                    }
                }
            }
            coverage?.addReport(to: &text)
        }
        return message.text + "\n"
    }
}
