"""What the whole test suite shares."""

from hypothesis import settings

# A busy machine is no failure of a law: nothing here is timed.
settings.register_profile("laws", deadline=None)
settings.load_profile("laws")
