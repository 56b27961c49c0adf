# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The page that `firemeter audit replay` makes, as Chromium shows it on phones and desks."""

import html
import json
import re
import subprocess

import pytest

import feeds
from harness import run_audit

WIDTHS = [360, 390, 768, 1280]

# Looks at the page in a frame of each width, and reports its problems.
INSPECTION = """
<script>
const page = document.getElementById("page").textContent, result = {};
const boxes = (root, selector) => [...root.querySelectorAll(selector)].filter(e =>
  getComputedStyle(e).visibility !== "hidden").map(e => ({element: e, box: e.getBoundingClientRect(),
  text: e.textContent.trim()}));
const overlap = (a, b) => !a.element.contains(b.element) && a.box.left < b.box.right - 0.5 && b.box.left < a.box.right - 0.5 &&
  a.box.top < b.box.bottom - 0.5 && b.box.top < a.box.bottom - 0.5;
function inspect(doc) {
  const problems = [], root = doc.documentElement;
  if (root.scrollWidth > root.clientWidth) problems.push(`wider than the screen: ${root.scrollWidth}`);
  for (const group of [".chart", ".bars", ".tiles", ".legend", ".fall .row", ".finding dl", ".free dl", ".tree summary"])
    for (const element of doc.querySelectorAll(group)) {
      const texts = boxes(element, "span:not(.track):not(.lane), dt, dd, li, b").filter(t => t.text);
      texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
        if (overlap(a, b)) problems.push(`${group}: '${a.text}' lies over '${b.text}'`);
      }));
    }
  for (const line of doc.querySelectorAll(".chart polyline"))
    if (line.getBBox().width < 900) problems.push("a line without a length: " + line.textContent);
  for (const track of doc.querySelectorAll(".bars .track"))
    if (![...track.children].some(part => part.getBoundingClientRect().width >= 1)) problems.push("an empty bar");
  for (const element of doc.querySelectorAll("main *"))
    if (element.children.length === 0 && element.textContent.trim() && element.tagName !== "title" &&
        parseFloat(getComputedStyle(element).fontSize) < 12) problems.push("small text: " + element.textContent);
  const top = doc.querySelector(".tiles").getBoundingClientRect().top;
  if (top > 400) problems.push(`the verdict begins at ${top}`);
  return {problems, charts: doc.querySelectorAll(".chart").length, lanes: doc.querySelectorAll(".lane").length,
    headings: [...doc.querySelectorAll("h2")].map(e => e.textContent), bars: doc.querySelectorAll(".track").length,
    loads: performance.getEntriesByType("resource").length};
}
(async () => {
  for (const width of WIDTHS) {
    const frame = document.createElement("iframe");
    frame.style.cssText = `width:${width}px;height:800px;border:0`;
    const loaded = new Promise(done => frame.onload = done);
    frame.srcdoc = page;
    document.body.append(frame);
    await loaded;
    const doc = frame.contentDocument, folded = inspect(doc);
    for (const details of doc.querySelectorAll("details")) details.open = true;
    result[width] = inspect(doc);
    result[width].problems.push(...folded.problems.map(problem => "folded: " + problem));
    frame.remove();
  }
  const output = document.createElement("output");
  output.textContent = JSON.stringify(result);
  document.body.append(output);
})();
</script>
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The pages of a small session, by the profile of their prices."""
    folder = tmp_path_factory.mktemp("session")
    recorded = run_audit("record", feeds.write_feed(folder), "--users", "2", "--page-size", "2", "--output", folder / "s.log")
    assert recorded.returncode == 0, recorded.stderr
    pages = {}
    (folder / "budget.json").write_text(
        '{"schema": "firemeter.budget/1", "thresholds": {"doc_reads": ["<100000"], "requests": ["<=0"]}}'
    )
    for profile in ["spark-2023", "blaze-firebasestorage-app+firestore-nam5"]:
        former = folder / f"{profile}.json"
        assert run_audit("replay", folder / "s.log", "--profile", profile, "--output", former).returncode == 0
        page = folder / f"{profile}.html"
        arguments = ["--profile", profile, "--output", page, "--budget", folder / "budget.json", "--compare-to", former]
        assert run_audit("replay", folder / "s.log", *arguments).returncode == 99
        pages[profile] = page.read_text()
    return pages


def inspected(page, folder):
    """What Chromium sees of a page in frames of several widths."""
    harness = folder / "harness.html"
    inspection = INSPECTION.replace("WIDTHS", json.dumps(WIDTHS))
    harness.write_text(f'<meta charset="utf-8"><body><textarea id="page" hidden>{html.escape(page)}</textarea>{inspection}')
    ended = subprocess.run(
        [
            *["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000"],
            *[f"--user-data-dir={folder / 'profile'}", "--window-size=1400,900", "--dump-dom", harness.as_uri()],
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    found = re.search(r"<output>(.*?)</output>", ended.stdout, re.DOTALL)
    assert found, ended.stdout[-2000:] + ended.stderr
    return json.loads(html.unescape(found[1]))


@pytest.mark.parametrize("profile", ["spark-2023", "blaze-firebasestorage-app+firestore-nam5"])
def test_nothing_overlaps_is_empty_or_too_small_to_read(reports, profile, tmp_path):
    seen = inspected(reports[profile], tmp_path)
    assert [seen[str(width)]["problems"] for width in WIDTHS] == [[]] * len(WIDTHS)
    for width in WIDTHS:
        view = seen[str(width)]
        assert view["charts"] == 1 and view["bars"] == 5 and view["lanes"] > 10
        assert view["loads"] == 0
        assert view["headings"] == [
            "What a month costs",
            "Budget: 4 of 8 bounds kept",
            *[heading for heading in view["headings"] if heading.startswith("Against ")],
            "What all-images could do without",
            "By screen",
            "Bytes by strategy, and why",
            "How long users wait",
            "Loading timeline",
            "What a cache would miss",
        ]


def test_verdicts_are_words_and_colors(reports):
    page = reports["spark-2023"]
    assert page.count('<span class="good">\u2713 kept</span>') == 4
    assert page.count('<span class="bad">\u2717 broken</span>') == 4 + 1


def test_the_bill_comes_first(reports):
    page = reports["blaze-firebasestorage-app+firestore-nam5"]
    assert page.index("x less</b>") < page.index("a month with 1,000 daily users") < page.index("<h2>What a month costs</h2>")
    assert "downloads a month</b>" in page and "lasts all month" in page


def test_the_page_loads_nothing(reports):
    for page in reports.values():
        assert not re.search(r"(src|href|url\()\s*=?[\"']?(https?:|//)", page)
        assert "<script" not in page


def colors(page, scheme):
    """The colors of the style sheet, as red, green and blue."""
    roots = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    named = dict(re.findall(r"--(\w+): #([0-9a-f]{6})", roots[0 if scheme == "light" else 1]))
    return {name: [int(code[i : i + 2], 16) / 255 for i in (0, 2, 4)] for name, code in named.items()}


def luminance(color):
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(first, second):
    """The contrast of two colors, from 1 to 21 (WCAG 2.2)."""
    lighter, darker = sorted([luminance(first), luminance(second)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_charts_stand_out_from_what_is_behind_them(reports, scheme):
    palette = colors(reports["spark-2023"], scheme)
    for text in ["ink", "soft"]:
        for behind in ["page", "card"]:
            assert contrast(palette[text], palette[behind]) >= 4.5, (text, behind)
    marks = [name for name in palette if name not in {"page", "card", "ink", "soft", "rule", "track"}]
    assert len(marks) == 18
    for mark in marks:
        # Graphical objects (WCAG 2.2, 1.4.11) against the card; documents and oversized only need to be distinguished from others.
        assert contrast(palette[mark], palette["card"]) >= (2.2 if mark in {"oversized", "documents"} else 3), mark
