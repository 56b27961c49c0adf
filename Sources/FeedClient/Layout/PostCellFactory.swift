// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Makes a post's cell: one kind for each number of thumbnails, so that no cell changes its layout when it is reused.
///
/// `Cell` is what the kinds have in common, such as `any Cell & InfoConfiguring<PostInfo>`, or what a list registers them
/// with. There is a cell for every post, as a ``ThumbnailCount`` has five cases.
public struct PostCellFactory<Cell> {
    private let makers: (one: () -> Cell, two: () -> Cell, three: () -> Cell, four: () -> Cell, five: () -> Cell)

    /// Creates a factory of five kinds of cells, by their number of thumbnails.
    public init(
        one: @escaping () -> Cell,
        two: @escaping () -> Cell,
        three: @escaping () -> Cell,
        four: @escaping () -> Cell,
        five: @escaping () -> Cell
    ) {
        makers = (one, two, three, four, five)
    }

    /// Makes the cell for a number of thumbnails.
    public func makeCell(for count: ThumbnailCount) -> Cell {
        switch count {
        case .one: makers.one()
        case .two: makers.two()
        case .three: makers.three()
        case .four: makers.four()
        case .five: makers.five()
        }
    }
}
