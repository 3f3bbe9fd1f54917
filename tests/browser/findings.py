"""What can be wrong with a page that is open: each function gives its faults as sentences."""

import io

from PIL import Image

# Streamlit's own parts that axe-core finds fault with, each with the reason it is not ours.
CHROME = {
    "[data-testid=stHeader]": "Streamlit draws the bar, the page links and the menu.",
    "[data-testid=stElementToolbar]": "Streamlit's buttons over figures and tables.",
    "[data-testid=stDataFrame]": "Streamlit's table on a canvas; the CSV has the same numbers.",
    "[data-testid=stCode] .token": "Streamlit's highlighter has fixed colours, 3.9:1 at the least.",
}
SERIOUS = ("serious", "critical")


def accessibility(tab):
    """Serious and critical faults that axe-core finds in our parts."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(tab, context={"exclude": [[selector] for selector in CHROME]})
    return [
        f"{fault['impact']} {fault['id']}: {node['html'][:200]} "
        f"{[check['message'] for check in node['any'] + node['all'] + node['none']][:2]}"
        for fault in found.response["violations"]
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


def sideways(tab):
    """The page scrolls sideways."""
    wide = tab.evaluate(
        """() => ['html', '[data-testid=stMain]'].map(name => {
            const part = document.querySelector(name);
            return [name, part.scrollWidth, part.clientWidth];
        })"""
    )
    return [f"{name} is {has} px wide in {room} px." for name, has, room in wide if has > room]


def small_text(tab, least=12):
    """Text on figures is smaller than ``least`` px."""
    sizes = tab.evaluate(
        """() => [...document.querySelectorAll('.vega-embed svg.marks text')].map(text => [
            text.textContent,
            parseFloat(getComputedStyle(text).fontSize) * Math.abs(text.getScreenCTM().d),
        ])"""
    )
    upright = [(words, size) for words, size in sizes if size > 0]
    return [f"“{words}” is {size:.1f} px." for words, size in upright if size < least - 0.01]


def cut_off(tab):
    """A figure leaves the window, or something drawn in it leaves the figure."""
    return tab.evaluate(
        """() => [...document.querySelectorAll('.vega-embed svg.marks')].flatMap((figure, n) => {
            const room = figure.getBoundingClientRect();
            const faults = [];
            if (room.left < 0 || room.right > innerWidth + 1)
                faults.push(`Figure ${n + 1} is from ${room.left} to ${room.right} px.`);
            for (const mark of figure.querySelectorAll('text, .role-mark path')) {
                const box = mark.getBoundingClientRect();
                const unseen = getComputedStyle(mark).opacity === '0'
                    || mark.closest('[class*=voronoi]');
                if (unseen || !box.width || !box.height) continue;
                // A text's box is taller than its letters: a quarter of their size may stick out.
                const letters = mark.tagName === 'text';
                const spare = letters ? parseFloat(getComputedStyle(mark).fontSize) / 4 : 1.5;
                const [across, along] = mark.getScreenCTM().b ? [spare, 1.5] : [1.5, spare];
                const out = Math.max(room.left - box.left - across, box.right - room.right - across,
                    room.top - box.top - along, box.bottom - room.bottom - along);
                if (out > 0)
                    faults.push(`Figure ${n + 1} cuts off “${mark.textContent || mark.tagName}” `
                        + `by ${out.toFixed(1)} px.`);
            }
            return faults;
        })"""
    )


def blank(picture, boxes):
    """A figure in the whole page's ``picture`` has nothing but its background."""
    page = Image.open(io.BytesIO(picture)).convert("RGB")
    faults = []
    for number, box in enumerate(boxes, 1):
        figure = page.crop(tuple(map(round, box)))
        # Anti-aliased edges are left out: only colours that fill some area count.
        least = figure.width * figure.height // 10_000
        colours = [many for many, _ in figure.getcolors(figure.width * figure.height)]
        painted = 1 - max(colours) / sum(colours)
        distinct = sum(many > least for many in colours)
        if min(figure.size) < 100 or painted < 0.01 or distinct < 4:
            faults.append(
                f"Figure {number} is {figure.size} px, {painted:.2%} painted in {distinct} colours."
            )
    return faults


def setting_line(tab, words):
    """The present setting does not stand in one line above the first figure."""
    return tab.evaluate(
        """words => {
            const main = document.querySelector('[data-testid=stMain]');
            const line = [...main.querySelectorAll('p')].find(p => p.textContent === words);
            if (!line) return [`“${words}” is not on the page.`];
            const range = document.createRange();
            range.selectNodeContents(line);
            const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
            const figure = main.querySelector('.vega-embed');
            const faults = [];
            if (lines.size !== 1) faults.push(`“${words}” takes ${lines.size} lines.`);
            if (figure && figure.getBoundingClientRect().top < line.getBoundingClientRect().bottom)
                faults.push(`“${words}” is not above the first figure.`);
            return faults;
        }""",
        words,
    )
