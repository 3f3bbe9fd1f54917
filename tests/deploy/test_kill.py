"""One of two servers behind nginx is killed in mid-class: deploy/kill_test.py, as a test."""

import os

import pytest

from deploy import kill_test

needs_nginx = pytest.mark.skipif(
    kill_test.NGINX is None and not os.environ.get("CI"),
    reason="nginx is not installed here; CI has it",
)


@needs_nginx
def test_its_learners_are_back_and_the_others_notice_nothing():
    assert kill_test.NGINX, "CI must install nginx"
    seen = kill_test.run()
    assert seen.moved_seconds
    assert not seen.wrong


def test_the_configuration_tried_is_the_one_handed_out(tmp_path):
    given = kill_test.CONFIGURATION.read_text()
    tried = kill_test.configuration(tmp_path, 1234, ("127.0.0.1:1", "127.0.0.1:2"))
    changed = {"listen 80;", "server 127.0.0.1:8501", "server 127.0.0.1:8502"}
    for line in given.splitlines():
        assert line in tried or any(line.strip().startswith(words) for words in changed)
