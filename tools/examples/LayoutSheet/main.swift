// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Draws a contact sheet of what FeedClient lays out, so that it can be looked at: the five layouts before their pixels,
// with placeholders, and after; below, a waterfall of two sections, each post over its background color.
//
//     LayoutSheet sheet.png

import FeedClient
import Foundation
import Imaging

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: LayoutSheet FILE\n".utf8))
    exit(64)
}

let album = Album()
let margin: CGFloat = 16
let side: CGFloat = 200
let width = margin + 5 * (side + margin)
let waterfall = WaterfallLayout(width: width - 2 * margin, columnCount: 5, spacing: margin)
let aspect = AspectRule()

var cells: [any InfoConfiguring<PostInfo>] = []
for (row, posts) in [0, 1].map({ ($0, ThumbnailCount.allCases) }) {
    for (column, count) in posts.enumerated() {
        let origin = CGPoint(
            x: margin + CGFloat(column) * (side + margin),
            y: margin + CGFloat(row) * (side + margin)
        )
        let cell = ThumbnailsCell(frame: CGRect(origin: origin, size: CGSize(width: side, height: side)), album: album)
        let post = album.post("layout\(count.rawValue)", imageCount: count.rawValue)
        cell.configure(with: PostInfo(post, in: "album"))
        cells.append(cell)
    }
}

let posts = (0..<10).map { album.post("waterfall\($0)", imageCount: 1) }
let heights = posts.map { post in
    aspect.height(
        width: waterfall.columnWidth,
        pixelWidth: post.images[0].pixelWidth,
        pixelHeight: post.images[0].pixelHeight
    ) + 24
}
for (post, frame) in zip(posts, waterfall.frames(heights: heights, below: 2 * (side + margin) + margin)) {
    let cell = ColorCell(frame: frame.offsetBy(dx: margin, dy: 0), album: album)
    cell.configure(with: PostInfo(post, in: "album"))
    cells.append(cell)
}

let bottom = cells.compactMap { ($0 as? ColorCell)?.frame.maxY }.max() ?? 0
var canvas = Canvas(
    width: Int(width),
    height: Int(bottom + margin),
    color: RGBColor(red: 255, green: 255, blue: 255)
)
for (index, cell) in cells.enumerated() {
    if let cell = cell as? ThumbnailsCell {
        for (frame, picture) in cell.thumbnails {
            canvas.draw(index < ThumbnailCount.allCases.count ? picture.placeholder : picture.pixels, over: frame)
        }
    } else if let cell = cell as? ColorCell, let picture = cell.picture {
        canvas.fill(cell.frame, picture.color.background)
        let image = CGRect(origin: cell.frame.origin, size: CGSize(width: side, height: cell.frame.height - 24))
        canvas.draw(picture.pixels, over: image)
        canvas.fill(
            CGRect(x: cell.frame.minX + 8, y: cell.frame.maxY - 18, width: 12, height: 12),
            picture.color
        )
    }
}
try Data(try PNGEncoder.encode(canvas.pixels)).write(to: URL(fileURLWithPath: CommandLine.arguments[1]))
