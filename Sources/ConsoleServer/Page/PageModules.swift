// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The modules of the page that its first view needs, which `index.html` names: a browser that finds them one behind the other, as
/// they import each other, asks for them as many times in turn as they are nested.
enum PageModules {
    private static let roots = ["app.js", "live.js"]
    private static let mark = "<!-- modules -->"

    /// `index.html` with a link to each of them.
    static let index: [UInt8] = {
        let links = needed.map { #"<link rel="modulepreload" href="\#(ConsolePage.prefix)\#($0)">"# }
        let page = String(decoding: PageFiles.index, as: UTF8.self)
        return Array(page.replacing(mark, with: links.joined(separator: "\n    ")).utf8)
    }()

    /// The modules and all that they import, those that are found first before the others.
    static let needed: [String] = {
        var names = roots
        var place = 0
        while place < names.count {
            for name in imports(of: names[place]) where !names.contains(name) { names.append(name) }
            place += 1
        }
        return names
    }()

    private static func imports(of name: String) -> [String] {
        let text = String(decoding: PageFiles.all[name] ?? [], as: UTF8.self)
        return text.matches(of: /\bfrom "\.\/([a-z0-9-]+\.js)"/).map { String($0.1) }
    }
}
