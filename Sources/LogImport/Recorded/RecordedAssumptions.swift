// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The assumptions about a recorded log, in sentences.
struct RecordedAssumptions {
    let sentences: [String]

    init(_ owned: OwnedObjects, habits: VisitHabits, rules: InferenceRules) {
        var sentences = [
            "a user is the one of the token, else of the tag, else the program; an image that was asked for without a token"
                + " is for the user who last read its document"
        ]
        sentences +=
            owned.layouts.isEmpty
            ? [
                "no object's name follows from a document, so that each is a post of its own; --layout 'posts/{id}/{n}.jpg' says how"
            ]
            : owned.layouts.map { "images follow from documents as \($0)" }
        sentences.append("after \(rules.relaunchGap / 60_000_000) minutes without a request the app was started again")
        if habits.appKeepsImages {
            sentences.append("the app keeps images: a post that it had loaded before was shown without a request")
        }
        if !habits.listsLoadingAll.isEmpty, !habits.hasOpenings {
            sentences.append(
                "lists load all images of a post, so that the log does not show which posts were opened; "
                    + "\(rules.openedPercent) % of them, chosen by their names, count as opened right after they were shown"
            )
        }
        self.sentences = sentences
    }
}
