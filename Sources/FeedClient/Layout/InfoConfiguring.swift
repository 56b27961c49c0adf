// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A cell, or any view, that shows one kind of information.
///
/// The kind is the protocol's primary associated type: a list holds cells of different classes as
/// `any InfoConfiguring<PostInfo>` and configures them alike, where a plain protocol would need a generic function
/// `where Info == PostInfo` at every place. Cells are classes, as views are, so that a `let` cell can be configured, and
/// the protocol composes with a class and with ``EdgeDividing``:
///
///     let cell: any Cell & InfoConfiguring<PostInfo> & EdgeDividing
public protocol InfoConfiguring<Info>: AnyObject {
    /// The information shown.
    associatedtype Info

    /// Shows the information; `nil` clears the cell, before it is reused.
    func configure(with info: Info?)
}
