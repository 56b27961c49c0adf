// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The assumptions about a log's users and images, in sentences.
struct Assumptions {
    let sentences: [String]

    init(_ activity: LoggedActivity, owned: OwnedObjects, habits: VisitHabits, rules: InferenceRules) {
        let isRecording = activity.callerNumbers.isEmpty
        sentences =
            (isRecording ? Self.ofRecordings : Self.ofDownloads(rules))
            + Self.ofImages(activity, owned: owned)
            + [Self.ofPauses(rules)]
            + Self.ofHabits(habits, rules: rules)
            + (activity.objects.contains { $0.pixels != nil } ? [Self.ofCopies] : [])
            + (isRecording ? [] : [Self.ofCaches])
    }

    private static let ofCopies =
        "a smaller copy of an image that the log does not have takes the share of its bytes that it has of its pixels"

    private static let ofCaches =
        "what the app's caches answered is in no server's log: users may have seen more than this"

    private static let ofRecordings = [
        "a user is the one of the token, else of the tag, else the program; an image that was asked for without a token"
            + " is for the user who last read its document"
    ]

    private static func ofDownloads(_ rules: InferenceRules) -> [String] {
        [
            "a user is an address and a program; users behind one address with the same program are one",
            "downloads within \(rules.viewGap / 1_000) ms of each other are one view",
        ]
    }

    private static func ofPauses(_ rules: InferenceRules) -> String {
        let minutes = String(rules.relaunchGapMinutes)
        let start = "after \(minutes.hasSuffix(".0") ? String(minutes.dropLast(2)) : minutes) minutes without a request"
        return "\(start) the app was started again"
    }

    private static func ofImages(_ activity: LoggedActivity, owned: OwnedObjects) -> [String] {
        guard owned.layouts.isEmpty else { return owned.layouts.map { "images follow from documents as \($0)" } }
        guard owned.forms.isEmpty else {
            return ["images whose names differ in a last small number are of one post, as in \(owned.forms[0])"]
        }
        return [
            activity.lists.isEmpty
                ? "no names of objects differ in a small number alone, so that each is a post of its own"
                : "no object's name follows from a document, so that each is a post of its own; "
                    + "--layout 'posts/{id}/{n}.jpg' says how"
        ]
    }

    private static func ofHabits(_ habits: VisitHabits, rules: InferenceRules) -> [String] {
        var sentences: [String] = []
        if habits.appKeepsImages {
            sentences.append("the app keeps images: a post that it had loaded before was shown without a request")
        }
        if !habits.listsLoadingAll.isEmpty, !habits.hasOpenings {
            sentences.append(
                "lists load all images of a post, so that the log does not show which posts were opened; "
                    + "\(rules.openedPercent) % of them, chosen by their names, count as opened right after they were shown"
            )
        } else {
            sentences.append("a post whose further images were loaded was opened")
        }
        return sentences
    }
}
