"""Pictures as files, by the libraries of the extra `pictures`."""

import base64
import importlib.util
import io
import re
import shutil
import sys
import xml.etree.ElementTree as xml

import pytest

from prism_repl import PrismError, Session
from prism_repl.pictures import inline
from prism_repl.pictures.trees import Tree
from tests.test_examples import EXAMPLES

LIBRARIES = ("graphviz", "svgling", "matplotlib")
PNG = b"\x89PNG\r\n\x1a\n"


def needs(*names):
    """Skip, and say so, where a library or dot is not installed."""
    for name in names:
        if name == "dot":
            if shutil.which("dot") is None:
                pytest.skip("SKIPPED: Graphviz' program dot is not installed")
        else:
            pytest.importorskip(name, reason=f"SKIPPED: {name} is not installed (extra `pictures`)")


@pytest.fixture
def output():
    return []


@pytest.fixture
def session(output, tmp_path, monkeypatch):
    s = Session(output.append)
    s.prism(EXAMPLES / "hmm.psm")
    monkeypatch.chdir(tmp_path)
    return s


GOAL = "days([walk,shop,clean])"


def test_trees(session, tmp_path):
    needs("svgling")
    session.once(f"show_tree({GOAL},'t.svg')")
    assert "act(sunny) = walk" in "".join(xml.parse(tmp_path / "t.svg").getroot().itertext())
    needs("graphviz")
    session.once(f"show_tree({GOAL},'t.dot')")
    assert "act(sunny) = walk" in (tmp_path / "t.dot").read_text()
    needs("dot")
    session.once(f"show_tree({GOAL},'t.png')")
    assert (tmp_path / "t.png").read_bytes().startswith(PNG)


def test_graphs(session, tmp_path):
    needs("graphviz")
    session.once(f"show_graph({GOAL},'g.dot')")
    text = (tmp_path / "g.dot").read_text()
    goals = [line for line in text.splitlines() if "day" in line and "label" in line]
    assert len(goals) == 7
    assert sum("penwidth=2" in line for line in goals) == 4  # the best explanation
    needs("dot")
    session.once(f"show_graph({GOAL},'g.svg')")
    assert "0.03361" in "".join(xml.parse(tmp_path / "g.svg").getroot().itertext())
    session.once(f"show_graph({GOAL},'g.png')")
    assert (tmp_path / "g.png").read_bytes().startswith(PNG)


def test_plots(session, tmp_path):
    needs("matplotlib")
    session.once("set_prism_flag(restart,3)")
    session.learn([GOAL, "days([walk,walk])"])
    session.once("show_bars(act(_),'b.svg'), show_bars(_,'b.png')")
    xml.parse(tmp_path / "b.svg")
    assert (tmp_path / "b.png").read_bytes().startswith(PNG)
    session.once("show_learn('l.svg'), show_learn('l.png')")
    xml.parse(tmp_path / "l.svg")
    assert (tmp_path / "l.png").read_bytes().startswith(PNG)


def drawing():
    """The script that draws the examples."""
    spec = importlib.util.spec_from_file_location("pictures_of_examples", EXAMPLES / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.psm")))
def test_pictures_of_the_examples(name, tmp_path, monkeypatch):
    needs(*LIBRARIES, "dot")
    monkeypatch.chdir(tmp_path)
    files = drawing().draw(name, tmp_path, ("svg",))
    assert [path.stem.removeprefix(f"{name}-") for path in files] == ["tree", "graph", "bars", "learn"]
    for path in files:
        assert xml.parse(path).getroot().tag.endswith("svg")


def test_text(session, output):
    output.clear()
    session.once(f"show_tree({GOAL}), show_graph({GOAL}), show_bars(first), show_learn")
    text = "".join(output)
    assert "└─ first = sunny\n" in text
    assert "● days([walk,shop,clean])  0.03361\n" in text
    assert "first\n  sunny 0.4000 ████████████████████\n" in text
    assert "Nothing has been learned yet.\n" in text
    assert not session.once("show_tree(days([swim]))")
    output.clear()
    session.learn([GOAL])
    session.once("show_learn")
    assert "log likelihood by iteration" in "".join(output)


def test_a_tree_that_is_given(session, output):
    output.clear()
    session.once("show_tree([s,[np,she],msw(a,b)])")
    assert "".join(output) == "    s\n ┌──┴──┐\nnp   a = b\n │\nshe\n"


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("show_tree(deys([walk]))", "type_error(probabilistic_atom,deys([walk]))"),
        ("show_graph(_)", "instantiation_error"),
        (f"show_tree({GOAL},'t.xyz')", "domain_error(picture_file,t.xyz)"),
        (f"show_tree({GOAL},_)", "instantiation_error"),
        ("show_bars(_,'b.dot')", "domain_error(picture_file,b.dot)"),
    ],
)
def test_errors(session, query, error):
    session.once(f"prob({GOAL})")
    (answer,) = session.ask(query)
    assert error in answer.message
    assert query.partition("(")[0] in answer.message


def test_a_directory_that_is_not_there(session):
    needs("graphviz")
    (answer,) = session.ask(f"show_graph({GOAL},'nosuch/g.dot')")
    assert "permission_error(create,source_sink,nosuch/g.dot)" in answer.message


def test_without_the_extra(session, output, monkeypatch):
    for library in LIBRARIES:
        monkeypatch.setitem(sys.modules, library, None)
    output.clear()
    with pytest.raises(PrismError):
        session.once(f"show_graph({GOAL},'g.svg')")
    assert "need graphviz: python -m pip install 'prism-repl[pictures]'" in "".join(output)
    assert Tree.of("a")._repr_svg_() is None
    session.once("set_prism_flag(inline_pictures,kitty)")
    output.clear()
    session.once(f"show_tree({GOAL})")  # the text, and what to install
    assert "pip install" in output[0]
    assert "└─ first = sunny\n" in "".join(output)


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({"KITTY_WINDOW_ID": "1"}, "kitty"),
        ({"TERM_PROGRAM": "iTerm.app"}, "iterm2"),
        ({"TERM": "foot"}, "sixel"),
        ({"TERM": "xterm-256color"}, None),
    ],
)
def test_terminals(monkeypatch, variables, found):
    for name in ("KITTY_WINDOW_ID", "TERM_PROGRAM", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert inline.protocol("auto") == found
    assert inline.protocol("off") is None
    assert inline.protocol("sixel") == "sixel"


def kitty_data(text):
    """The picture of kitty's protocol: base64 in pieces, all but the last of which say that more comes."""
    pieces = re.findall("\x1b_G([^;]*);([^\x1b]*)\x1b\\\\", text)
    assert pieces[0][0].startswith("f=100,a=T,")
    assert [keys[-3:] for keys, _ in pieces] == ["m=1"] * (len(pieces) - 1) + ["m=0"]
    assert all(len(data) <= 4096 for _, data in pieces)
    return base64.b64decode("".join(data for _, data in pieces))


def iterm2_data(text):
    size, data = re.fullmatch("\x1b]1337;File=inline=1;size=(\\d+):([^\x07]*)\x07\n", text).groups()
    png = base64.b64decode(data)
    assert len(png) == int(size)
    return png


def sixel_pixels(text):
    """A sixel picture as rows of numbers of colours, and the colours in percent."""
    assert text.endswith("\x1b\\\n")
    head, body = re.match('\x1bPq"1;1;(\\d+;\\d+)(.*)', text, re.DOTALL).groups()
    width, height = map(int, head.split(";"))
    colors = {}
    pixels = [[None] * width for _ in range(height)]
    top = x = color = 0
    for token in re.finditer(r"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|(?:!(\d+))?([?-~])|([$-])", body[:-3]):
        if token[2]:
            colors[int(token[1])] = tuple(int(token[i]) for i in (2, 3, 4))
        elif token[1]:
            color = int(token[1])
        elif token[6]:
            for _ in range(int(token[5] or 1)):
                for k in range(6):
                    if ord(token[6]) - 63 >> k & 1:
                        assert pixels[top + k][x] is None  # painted once
                        pixels[top + k][x] = color
                x += 1
        else:
            x, top = 0, top + 6 * (token[7] == "-")
    return pixels, colors


def test_inline_pictures(session, output):
    """What is written to the terminal is the picture: each protocol is read back."""
    needs("graphviz", "dot", "matplotlib")
    from PIL import Image

    def shown(protocol):
        session.once(f"set_prism_flag(inline_pictures,{protocol})")
        output.clear()
        session.once(f"show_tree({GOAL})")
        return "".join(output)

    png = kitty_data(shown("kitty"))
    assert png.startswith(PNG)
    assert iterm2_data(shown("iterm2")) == png
    pixels, colors = sixel_pixels(shown("sixel"))
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert (len(pixels[0]), len(pixels)) == image.size
    for x, y in ((0, 0), (image.width // 2, image.height // 2), (image.width - 1, image.height - 1)):
        there = [round(part * 100 / 255) for part in image.getpixel((x, y))]
        assert max(abs(a - b) for a, b in zip(colors[pixels[y][x]], there, strict=True)) <= 10
    assert all(color is not None for row in pixels for color in row)
