"""Files that predicates write: links are followed, fifos and devices are written into, modes are kept."""

import os
import threading

import pytest

from prism_repl import Session


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Session(lambda text: None)


def save(session, name):
    session.once(f"save_clauses('{name}',[a,b])")


def test_mode_and_link_are_kept(session, tmp_path):
    target = tmp_path / "target"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to(target)
    save(session, "link")
    assert (tmp_path / "link").is_symlink()
    assert target.read_text() == "a.\nb.\n"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_dangling_link_makes_its_target(session, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new")
    save(session, "link")
    assert (tmp_path / "new").read_text() == "a.\nb.\n"


def test_other_names_of_a_file_keep_its_text(session, tmp_path):
    (tmp_path / "one").write_text("old")
    os.link(tmp_path / "one", tmp_path / "two")
    save(session, "one")
    assert (tmp_path / "two").read_text() == "a.\nb.\n"


def test_a_fifo_is_written_into(session, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()))
    reader.start()
    save(session, "fifo")
    reader.join(10)
    assert read == ["a.\nb.\n"]
    assert fifo.is_fifo()


def test_a_device_is_written_into(session):
    save(session, "/dev/null")
    assert os.path.exists("/dev/null")
    assert not os.path.isfile("/dev/null")


def test_new_files_have_the_usual_mode(session, tmp_path):
    old = os.umask(0o027)
    try:
        save(session, "new")
    finally:
        os.umask(old)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
