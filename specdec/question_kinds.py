"""The kinds of generated questions: each draws a setting and works its answer out in steps.

A kind takes a random generator and returns a prompt, the answer, the steps to it, and the page
and setting that show it; or ``None`` where the setting drawn makes no fair question (the answer
would depend on how the numbers in the prompt are rounded, or there is none).
"""

from specdec.setting import OPENING, OWN_DRAFT_MS, Setting
from specdec.time_model import K_MAX, LESSON
from specdec.tokens import expected_tokens
from specdec.typed_answers import Answer

_DRAFT_MS = (0.6, 0.8, 1.0, OWN_DRAFT_MS, 1.5, 1.8, 2.0, 2.4, 3.0, 3.5)
_BIG_MS = round(LESSON.plain_seconds() * 1000, 3)
_FREE = LESSON.first_arithmetic_tokens(LESSON.big) - 1


def _drawn(rng, k_most=8):
    """A setting for one user other than the opening one."""
    kept, k = 5 * int(rng.integers(7, 20)), int(rng.integers(1, k_most + 1))
    setting = Setting(kept, k, _DRAFT_MS[rng.integers(len(_DRAFT_MS))])
    return setting if setting != OPENING else _drawn(rng, k_most)


def _fair(answer, *by_hand):
    """Whether each value worked out from rounded numbers prints the same."""
    same = (Answer(value, answer.unit, answer.decimals).number for value in by_hand)
    return all(number == answer.number for number in same)


def _guesses(k):
    return f"{k} guess" if k == 1 else f"{k} guesses"


def _round_step(setting):
    """The round's time worked by hand in ms, and the step that says so."""
    took = setting.k * setting.draft_ms + _BIG_MS
    return took, f"Round: {setting.k} × {setting.draft_ms:g} + {_BIG_MS} = {took:.3f} ms."


def _sum(a, k):
    """1 + a + … + a^k as it is written out."""
    last = "" if k == 1 else f" + {a}^{k}"
    return f"1 + {a}{' + …' if k > 2 else ''}{last}"


def _tokens_step(setting):
    """The tokens per round rounded to two decimals, and the step that says so."""
    tokens = expected_tokens(setting.keep_rate, setting.k)
    terms = _sum(f"{setting.keep_rate:g}", setting.k)
    return round(tokens, 2), f"Tokens per round: {terms} = {tokens:.2f}."


def _round_time(rng):
    setting = _drawn(rng, k_most=12)
    by_hand, step = _round_step(setting)
    exact = LESSON.round_seconds(setting.k, setting.draft_seconds) * 1000
    answer = Answer(float(exact), "ms", 1)
    prompt = (
        f"A draft pass takes {setting.draft_ms:g} ms, and the big pass that checks "
        f"{_guesses(setting.k)} takes {_BIG_MS} ms. How long is one round, in ms to one decimal?"
    )
    if not _fair(answer, by_hand):
        return None
    working = ("A round is its draft passes and one big pass.", step)
    return prompt, answer, working, "costs", setting


def _tokens(rng):
    setting = _drawn(rng)
    _, step = _tokens_step(setting)
    exact = float(expected_tokens(setting.keep_rate, setting.k))
    answer = Answer(exact, "tokens", 2)
    # Halfway between two printed values (1.875), either would do as well as the other.
    if not _fair(answer, exact - 1e-9, exact + 1e-9):
        return None
    prompt = (
        f"With {_guesses(setting.k)} a round and {setting.kept}% of guesses kept, how many tokens "
        "does a round bring on average, to two decimals?"
    )
    working = (
        "The token at a place is reached if every guess before it was kept: chances 1, a, a², …",
        step,
    )
    return prompt, answer, working, "round", Setting(setting.kept, setting.k)


def _speedup(rng):
    setting = _drawn(rng)
    took, round_step = _round_step(setting)
    rounded, tokens_step = _tokens_step(setting)
    exact = LESSON.speedup(setting.keep_rate, setting.k, setting.draft_seconds)
    answer = Answer(float(exact), "times", 2)
    tokens = expected_tokens(setting.keep_rate, setting.k)
    if not _fair(answer, tokens * _BIG_MS / took, rounded * _BIG_MS / took):
        return None
    prompt = (
        f"{setting.kept}% of guesses are kept, with {_guesses(setting.k)} a round. A draft pass "
        f"takes {setting.draft_ms:g} ms and a big pass {_BIG_MS} ms. How many times as fast as "
        "plain decoding is the pair, to two decimals?"
    )
    gain = f"Speed-up: {tokens:.2f} × {_BIG_MS} ÷ {took:.3f} = {answer.number}."
    return prompt, answer, (tokens_step, round_step, gain), "speedup", setting


def _break_even(rng):
    drawn = _drawn(rng)
    even = LESSON.break_even(drawn.k, drawn.draft_seconds)
    if even is None:
        return None
    took, step = _round_step(drawn)
    answer = Answer(100 * even, "%", 0)
    prompt = (
        f"With {_guesses(drawn.k)} a round, a draft pass of {drawn.draft_ms:g} ms and a big pass "
        f"of {_BIG_MS} ms, what percentage of guesses must be kept for the pair to be as fast as "
        "plain decoding? Round to a whole percent."
    )
    working = (
        step,
        f"That is the time of {took:.3f} ÷ {_BIG_MS} = {took / _BIG_MS:.2f} plain tokens, so a "
        "round must bring as many.",
        f"{_sum('a', drawn.k)} = {took / _BIG_MS:.2f} at a = {even:.3f}.",
    )
    # Worked from rounded times, the root of a sum with steep terms moves less than the times do.
    if not _fair(answer, 100 * even - 0.05, 100 * even + 0.05):
        return None
    return prompt, answer, working, "speedup", Setting(int(answer.number), drawn.k, drawn.draft_ms)


def _users(rng):
    k = int(rng.integers(1, 13))
    first = LESSON.users_when_checking_stops_being_free(k)
    answer = Answer(first, "users", 0, whole=True)
    prompt = (
        f"A big pass over {_FREE} tokens is still limited by memory, over {_FREE + 1} by "
        f"arithmetic. Each user's check of {_guesses(k)} reads {k + 1} tokens. What is the "
        "smallest number of users at which the check is limited by arithmetic?"
    )
    working = (
        f"The users' checks must read at least {_FREE + 1} tokens together.",
        f"{_FREE + 1} ÷ {k + 1} = {(_FREE + 1) / (k + 1):.2f}, so {first} users: "
        f"{first} × {k + 1} = {first * (k + 1)} tokens.",
    )
    return prompt, answer, working, "users", Setting(k=k, users=first)


def _best_k(rng):
    drawn = _drawn(rng)
    kept = (drawn.keep_rate, drawn.draft_seconds)
    best = LESSON.best_k(*kept)
    if not 1 < best < K_MAX:
        return None
    around = {k: LESSON.speedup(kept[0], k, kept[1]) for k in (best - 1, best, best + 1)}
    # Closer than this and a chart with two decimals could not tell them apart.
    if sum(gain > around[best] - 0.01 for gain in around.values()) > 1:
        return None
    prompt = (
        f"{drawn.kept}% of guesses are kept and a draft pass takes {drawn.draft_ms:g} ms, a big "
        f"pass {_BIG_MS} ms. With how many guesses a round is the pair fastest?"
    )
    working = tuple(
        f"{_guesses(k)}: {expected_tokens(kept[0], k):.2f} × {_BIG_MS} ÷ "
        f"{k * drawn.draft_ms + _BIG_MS:.3f} = {gain:.2f} times as fast."
        for k, gain in around.items()
    )
    answer = Answer(best, "guesses", 0, whole=True)
    return prompt, answer, working, "speedup", Setting(drawn.kept, best, drawn.draft_ms)


def _pass_time(rng):
    k, users = int(rng.integers(1, 9)), int(rng.integers(10, 81))
    n, billions = users * (k + 1), round(LESSON.big.weights / 1e9, 2)
    each, rate = LESSON.big.bytes_per_weight, LESSON.chip.bytes_per_second / 1e9
    tera = LESSON.chip.flops_per_second / 1e12
    fetch, sums = each * billions / rate * 1000, 2 * billions * n / tera
    answer = Answer(float(LESSON.big_pass(n).seconds) * 1000, "ms", 1)
    if not _fair(answer, max(fetch, sums)):
        return None
    prompt = (
        f"A big model has {billions} billion weights of {each} bytes. The chip fetches {rate:,.0f} "
        f"GB a second and does {tera:g} million million operations a second, 2 for each weight and "
        f"token. How long is a pass over {n} tokens, in ms to one decimal?"
    )
    working = (
        f"Fetching: {each} × {billions} GB ÷ {rate:,.0f} GB/s = {fetch:.2f} ms.",
        f"Arithmetic: 2 × {billions} billion × {n} ÷ {tera:g} million million = {sums:.2f} ms.",
        f"The pass takes the longer of the two: {answer.printed}.",
    )
    return prompt, answer, working, "costs", Setting(k=k, users=users)


KINDS = {
    "round-time": _round_time,
    "tokens": _tokens,
    "speed-up": _speedup,
    "break-even": _break_even,
    "free-users": _users,
    "best-k": _best_k,
    "pass-time": _pass_time,
}
