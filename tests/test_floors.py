"""The floors: models, charts, page helpers, pages, entrypoint. A lower one never imports a higher.

Read from the source with ``ast``, so that an import inside a function counts as well.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = {
    path.relative_to(ROOT).as_posix(): path
    for folder in ("specdec", "pages")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
FILES["streamlit_app.py"] = ROOT / "streamlit_app.py"


def floor(name):
    """0 for a model's file, then charts, page helpers, pages and the entrypoint."""
    for height, start in (
        (4, "streamlit_app"),
        (3, "pages"),
        (2, "specdec/ui"),
        (1, "specdec/charts"),
    ):
        if name.startswith(start):
            return height
    return 0


def module_floor(module):
    return floor(module.replace(".", "/"))


FLOORS = {height: [name for name in FILES if floor(name) == height] for height in range(5)}
# Drawing and tables are the upper floors' business; the models are NumPy and plain Python.
FORBIDDEN = {
    0: {"altair", "streamlit", "pandas"},
    1: {"streamlit"},
    2: set(),
    3: {"altair", "numpy", "pandas"},
    4: {"altair", "numpy", "pandas"},
}


def tree(name):
    return ast.parse(FILES[name].read_text(encoding="utf-8"), name)


def imports(nodes):
    """Every module that the tree imports, with ``from specdec import charts`` written out."""
    found = set()
    for node in ast.walk(nodes):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole module"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_every_floor_has_files():
    assert {height: bool(names) for height, names in FLOORS.items()} == dict.fromkeys(
        range(5), True
    )


@pytest.mark.parametrize("name", FILES)
def test_nothing_imports_a_higher_floor(name):
    above = {module for module in imports(tree(name)) if module_floor(module) > floor(name)}
    assert not above


@pytest.mark.parametrize("name", FILES)
def test_nothing_imports_a_package_that_its_floor_does_without(name):
    packages = {module.split(".")[0] for module in imports(tree(name))}
    assert not packages & FORBIDDEN[floor(name)]


@pytest.mark.parametrize("name", FLOORS[3] + FLOORS[4])
def test_pages_take_what_they_need_from_the_library_and_streamlit(name):
    assert {module.split(".")[0] for module in imports(tree(name))} <= {"specdec", "streamlit"}


def arithmetic(nodes):
    """Arithmetic on anything that is not a text: operators, also in place, and sums."""
    for node in ast.walk(nodes):
        if isinstance(node, ast.AugAssign):
            yield ast.unparse(node)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitOr):
            sides = (node.left, node.right)
            texts = (isinstance(side, ast.JoinedStr) or _is_text(side) for side in sides)
            # The one operator a path has, ROOT / "pages", has a text on a side as well.
            if not any(texts):
                yield ast.unparse(node)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"sum", "pow", "divmod", "round", "abs"}
        ):
            yield ast.unparse(node)


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("name", FLOORS[3] + FLOORS[4])
def test_pages_do_no_arithmetic(name):
    assert not list(arithmetic(tree(name)))


@pytest.mark.parametrize("line", ["x = a * 2", "x += 1", "y = f(k + 1)", "z = sum(rows)", "-a / b"])
def test_arithmetic_in_a_page_would_be_seen(line):
    assert list(arithmetic(ast.parse(line)))


@pytest.mark.parametrize("line", ['f"{a}" + "b"', 'ROOT / "pages"', "rows[-1]", "a | b"])
def test_what_is_no_arithmetic_passes(line):
    assert not list(arithmetic(ast.parse(line)))


@pytest.mark.parametrize("name", FILES)
def test_every_file_says_what_it_is(name):
    says = ast.get_docstring(tree(name))
    assert says
    assert not says.endswith('"')
    assert '"\n' not in says.splitlines()[0] + "\n"


def loaded_by(statement):
    """The modules that a fresh Python has loaded after ``statement``."""
    code = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_library_loads_without_altair_and_streamlit():
    statement = "import specdec, specdec.answers"
    for name in FLOORS[0]:
        statement += f", {name.removesuffix('.py').replace('/', '.').removesuffix('.__init__')}"
    loaded = loaded_by(statement)
    assert "specdec.answers.costs" in loaded
    assert not loaded & {"altair", "streamlit", "pandas", "specdec.charts", "specdec.ui"}


def test_the_charts_load_without_streamlit():
    names = [name.removesuffix(".py").replace("/", ".") for name in FLOORS[1]]
    loaded = loaded_by(f"import {', '.join(name.removesuffix('.__init__') for name in names)}")
    assert "altair" in loaded
    assert not loaded & {"streamlit", "specdec.ui"}
