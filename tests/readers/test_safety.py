"""Reading runs nothing: no pickle, no evaluation, no network, no process, no write. Python's own
audit events tell.
"""

import json
import subprocess
import sys
from pathlib import Path


LOGS = Path(__file__).parents[1] / "logs"
PROGRAM = """
import json, os, pickle, socket, sys
from pathlib import Path
from benchuq.readers import read as module
for path in map(Path, sys.argv[1:]):
    module.read(path, progress=False)  # once for imports, caches and compiled code
seen, on = [], True
WATCHED = ("pickle.find_class", "socket.", "subprocess.", "os.system", "os.exec", "os.fork",
    "os.posix_spawn", "ctypes.", "urllib.", "os.remove", "os.rename", "os.mkdir", "os.rmdir",
    "shutil.", "compile", "exec")
# asyncio's own, which connects nowhere
HARMLESS = ("socket.socketpair", "socket.__new__", "socket.gethostname")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT

def hook(event, arguments):
    if not on:
        return
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
    if (writes or event.startswith(WATCHED)) and event not in HARMLESS:
        caller = sys._getframe(1).f_code.co_filename
        if event in ("compile", "exec") and "benchuq" not in Path(caller).parts:
            return  # dataclasses and named tuples that libraries make from their own text
        seen.append([event, repr(arguments)[:200], caller])

sys.addaudithook(hook)
for path in map(Path, sys.argv[1:]):
    module.read(path, progress=False)
on = False
print(json.dumps(seen))
"""


def watched(program, *paths):
    "What the program saw happen while it read the files at `paths`."
    command = [sys.executable, "-c", program, *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=150)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


def test_reading_logs_and_tables_runs_and_writes_nothing(tmp_path):
    (tmp_path / "counts.csv").write_text(
        "model,task,n_correct,n_items\n=cmd|' /C calc'!A0,t,1,2\nos.system,t,2,2\n"
    )
    (tmp_path / "items.csv").write_text("model,task,item,score\n__import__('os'),t,1,1\nb,t,1,0\n")
    logs = [LOGS / name for name in ("harness", "helm", "inspect")]
    assert watched(PROGRAM, *logs, tmp_path / "counts.csv", tmp_path / "items.csv") == []


def test_the_watch_sees(tmp_path):
    """A reader that pickles, writes and connects would be caught."""
    code = (
        "\non = True\npickle.loads(pickle.dumps(Path('x')))\nopen(sys.argv[1] + '.new', "
        "'w').close()\n"
    )
    code += "socket.socket().connect_ex(('127.0.0.1', 9))\nprint(json.dumps(seen))"
    (tmp_path / "a.csv").write_text("model,task,n_correct,n_items\na,t,1,2\nb,t,2,2\n")
    seen = watched(PROGRAM + code, tmp_path / "a.csv")
    assert {event for event, *_ in seen} >= {"pickle.find_class", "open", "socket.connect"}
