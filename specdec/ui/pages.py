"""The pages, in the order of the menu, and where their files are."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
# A file of our own: a named icon would be fetched from another host.
ICON = Path(__file__).parent / "images" / "icon.svg"
TITLE = "Speculative decoding"

# Each page's URL is its file's name, so that a link opens the same page with or without a frame.
PAGES = (
    ("start", "Start", ":material/home:", "What this is, what to drag first, what to look at."),
    ("round", "Round", ":material/replay:", "One round: what is guessed, kept and written."),
    ("costs", "Costs", ":material/timer:", "Why checking several guesses costs about one token."),
    (
        "speedup",
        "Speed-up",
        ":material/speed:",
        "When guessing pays, and how many guesses are best.",
    ),
    ("users", "Users", ":material/group:", "What a crowd sharing the chip does to the gain."),
    ("sampling", "Sampling", ":material/casino:", "Why random picks keep the big model's odds."),
    (
        "measured",
        "Measured",
        ":material/monitoring:",
        "Your own server's numbers, and what to set.",
    ),
    ("beyond", "Beyond", ":material/public:", "What the best case leaves out, and published runs."),
    ("check", "Check", ":material/quiz:", "Questions with their working, old and new."),
)
