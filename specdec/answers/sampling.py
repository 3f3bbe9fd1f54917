"""Sampling: why random picks keep the big model's odds, in exact fractions and by trying."""

from math import sqrt

from specdec.answers.parts import Answer, Figure, Metric, Table, axis_top, percent
from specdec.sampling import (
    keep_chance,
    parse_odds,
    residual,
    sampling_table,
    simulate_sampling,
)

OPENING_P = "1/2, 3/10, 1/5"
OPENING_Q = "1/5, 3/10, 1/2"
DRAWS = 10_000
# Two-sided 99% of a normal distribution.
Z_99 = 2.576
CHANCE_ENDS = (0.3, 0.6, 0.8, 1.1)


def sampling(p_text=OPENING_P, q_text=OPENING_Q, simulate=simulate_sampling):
    """The page's :class:`Answer` for odds as a person typed them.

    ``simulate`` runs the rule; the page hands in a cached one. Raises ``ValueError`` with one
    sentence that says what is wrong and what is accepted.
    """
    p, q = _typed("p", p_text), _typed("q", q_text)
    if len(p) != len(q):
        raise ValueError(
            f"p and q must list the same number of tokens; p has {len(p)} and q has {len(q)}."
        )
    table = sampling_table(p, q)
    counts = simulate(p, q, DRAWS)
    rejected = 1 - table.keep_rate
    goes_to = [row.token for row in table.rows if row.redrawn]
    after = (
        f"a rejected guess becomes {_listed(goes_to)}"
        if goes_to
        else "no guess is ever rejected, for p and q are the same"
    )
    sentence = (
        f"**{percent(table.keep_rate, _digits(table.keep_rate))}** of guesses are kept and "
        f"{after}; kept and redrawn add up to the big model's odds p **exactly**, for every token."
    )
    farthest = max(abs(sum(counts[row.token]) / DRAWS - float(row.total)) for row in table.rows)
    metrics = (
        Metric("Guesses kept", str(table.keep_rate), percent(table.keep_rate, 1)),
        Metric("Rejected and redrawn", str(rejected), percent(rejected, 1)),
        Metric(
            f"Kept in {DRAWS:,} tries", percent(_kept_share(counts), 1), "seeded run of the rule"
        ),
        Metric("Largest miss of that run", percent(farthest, 1), "from the exact odds"),
    )
    return Answer(
        sentence=sentence,
        metrics=metrics,
        figures=(_stacked(table), _tries(table, counts)),
        tables=(_exact_table(table), _tries_table(table, counts)),
        formula=(
            r"\text{kept}(x) = q(x)\,\min\left(1, \tfrac{p(x)}{q(x)}\right)",
            r"\text{redrawn}(x) = \max(0,\, p(x) - q(x))",
            r"\text{kept}(x) + \text{redrawn}(x) = p(x)",
        ),
        leaves_out=(
            "A real vocabulary has tens of thousands of tokens; the rule is the same for each.",
            "This is one place. A round goes on to the next place only while guesses are kept.",
        ),
        sources=(keep_chance, residual, sampling_table, simulate_sampling),
    )


def _typed(name, text):
    try:
        return parse_odds(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _digits(share):
    return 0 if (100 * share).denominator == 1 else 1


def _listed(tokens):
    return tokens[0] if len(tokens) == 1 else f"{', '.join(tokens[:-1])} or {tokens[-1]}"


def _kept_share(counts):
    return sum(kept for kept, _ in counts.values()) / DRAWS


def _stacked(table):
    bars, caps = [], []
    for row in table.rows:
        for part in ("kept", "redrawn"):
            share = getattr(row, part)
            bars.append(
                {
                    "token": row.token,
                    "part": part,
                    "share": float(share),
                    "fraction": str(share),
                    "label": f"{part} {share}" if share else "",
                }
            )
        caps.append({"token": row.token, "p": float(row.p), "label": f"p = {row.p}"})
    says = "; ".join(
        f"{row.token}: {row.kept} kept + {row.redrawn} redrawn = {row.total}" for row in table.rows
    )
    return Figure(
        name="kept-and-redrawn",
        title="What becomes of each token: kept and redrawn, stacked up to p",
        rows={"bars": bars, "caps": caps},
        caption=(
            f"{says}. Green: guessed and kept. Orange dashed outline: written after a "
            "rejection. The tick is "
            "the big model's chance p, which every stack meets exactly."
        ),
        alt=f"{says}. Every total equals the big model's chance.",
        options={"y_end": axis_top(max(row["p"] for row in caps) + 0.06, CHANCE_ENDS)},
        data="bars",
    )


def _margin(share):
    """Half-width of the band that holds 99 in 100 runs of this many tries."""
    return Z_99 * sqrt(share * (1 - share) / DRAWS)


def _tries(table, counts):
    rows = []
    for row in table.rows:
        exact, share = float(row.total), sum(counts[row.token]) / DRAWS
        rows.append(
            {
                "token": row.token,
                "exact": exact,
                "tried": share,
                "low": max(0.0, exact - _margin(exact)),
                "high": min(1.0, exact + _margin(exact)),
                "label": f"{percent(share, 1)}",
            }
        )
    says = "; ".join(
        f"{row['token']}: {percent(row['tried'], 1)} of tries, exact {percent(row['exact'], 1)}"
        for row in rows
    )
    return Figure(
        name="tries-and-odds",
        title=f"{DRAWS:,} seeded tries of the rule beside the exact odds",
        rows={"curve": rows},
        caption=(
            f"{says}. The dot is the share of {DRAWS:,} tries, the tick the exact chance, and "
            "the bar the "
            "band that 99 in 100 such runs stay inside."
        ),
        alt=f"{says}.",
        options={"y_end": axis_top(max(row["high"] for row in rows), CHANCE_ENDS)},
    )


def _exact_table(table):
    rows = [
        {
            "Token": row.token,
            "p, big model": str(row.p),
            "q, draft": str(row.q),
            "Kept": str(row.kept),
            "Redrawn": str(row.redrawn),
            "Total": str(row.total),
        }
        for row in table.rows
    ]
    rows.append(
        {
            "Token": "all",
            "p, big model": "1",
            "q, draft": "1",
            "Kept": str(table.keep_rate),
            "Redrawn": str(1 - table.keep_rate),
            "Total": "1",
        }
    )
    return Table("The rule, exactly", rows)


def _tries_table(table, counts):
    return Table(
        f"{DRAWS:,} tries of the rule",
        [
            {
                "Token": row.token,
                "Kept": f"{counts[row.token][0]:,}",
                "Redrawn": f"{counts[row.token][1]:,}",
                "Share": percent(sum(counts[row.token]) / DRAWS, 1),
                "Exact": percent(row.total, 1),
            }
            for row in table.rows
        ],
    )
