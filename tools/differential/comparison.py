# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Asks both servers and compares."""

from answers import normal_answers
from cases import EVERYTHING, Call
from differences import find_difference, general
from shrinking import smaller_cases
from sides import LoadError, new_project


class Comparison:
    """Runs cases on both sides."""

    def __init__(self, maker, ours, official):
        self.maker = maker
        self.sides = (ours, official)
        self.projects = {}

    def difference(self, number):
        """The case of a number and how the answers differ."""
        case = self.maker.case(number)
        if not case.writes:
            return case, self.compare(case, self.projects[self.maker.world_number(number)], (None, None))
        # Left as it is: emptying it would take as long as the rest.
        project = new_project()
        return case, self.compare(case, project, self.load(project, case.documents))

    def judge(self, case):
        """How the answers differ when the case has a database of its own."""
        answers = self.judge_answers(case)
        return find_difference(*answers) if answers else None

    def judge_answers(self, case):
        """The answers when the case has a database of its own; `None` if its documents are refused."""
        project = new_project()
        try:
            created = self.load(project, case.documents)
            return self.answers(case, project, created)
        except LoadError:
            return None
        finally:
            self.clear(project)

    def compare(self, case, project, created):
        return find_difference(*self.answers(case, project, created))

    def answers(self, case, project, created):
        calls = [*case.calls, Call("POST", ":runQuery", EVERYTHING)] if case.writes else case.calls
        return [
            normal_answers([(call, side.ask(project, call, time)) for call in calls], case.writes)
            for side, time in zip(self.sides, created)
        ]

    def tells_one_of_two_faults(self, case, difference):
        """Whether each side is right to refuse: without one fault the other is told."""
        ours, official = general(difference.ours["refusal"]), general(difference.official["refusal"])
        has_ours, has_official = False, False
        for smaller in smaller_cases(case):
            found = self.judge_answers(smaller)
            for left, right in zip(*found) if found else ():
                if "refusal" in left and "refusal" in right:
                    left, right = general(left["refusal"]), general(right["refusal"])
                    has_ours = has_ours or (left == ours and right != official)
                    has_official = has_official or (left != ours and right == official)
            if has_ours and has_official:
                return True
        return False

    def load(self, project, documents):
        return [side.load(project, documents) for side in self.sides]

    def clear(self, project):
        for side in self.sides:
            side.clear(project)

    def prepare(self):
        """Loads the databases that cases share."""
        for number in range(self.maker.count):
            world = self.maker.world_number(number)
            if self.maker.kinds[number] != "write" and world not in self.projects:
                self.projects[world] = new_project()
                self.load(self.projects[world], self.maker.world(number))
