"""The validator of the package `openmed`, behind the subject protocol in the role run-log."""

import importlib.util
import json
import pathlib
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
MODULE = "openmed/agent/event_sequence.py"
VERSION = "3.1.0"


def load():
    wheel = HERE / "wheel" / f"openmed-{VERSION}-py3-none-any.whl"
    path = HERE / "wheel" / MODULE
    if not path.exists():
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(MODULE, HERE / "wheel")
    spec = importlib.util.spec_from_file_location("event_sequence", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["event_sequence"] = module
    spec.loader.exec_module(module)
    return module


peer = load()


def references(items):
    """The items as the package takes them, each made when it is consumed."""
    for item in items:
        if isinstance(item, dict):
            members = (item.get(name) for name in ("run_id", "event_id", "sequence_number"))
            item = peer.EventReference(*members)
        yield item


def judge(call):
    given = call.get("references")
    if isinstance(given, list):
        given = references(given)
    options = {
        name: call[name]
        for name in ("expected_start", "terminal_sequence_number", "allow_empty")
        if name in call
    }
    return peer.validate_event_sequence(call.get("run_id"), given, **options).to_json()


def answer(line):
    case = json.loads(line)
    if "hello" in case:
        return {"subject": "openmed", "version": VERSION, "role": "run-log", "features": []}
    try:
        return {"id": case["id"], "report": judge(case["call"])}
    except peer.EventSequenceError as error:
        return {"id": case["id"], "error": {"code": error.code, "field_name": error.field_name}}


if len(sys.argv) == 3 and sys.argv[1] == "--time":
    text = pathlib.Path(sys.argv[2]).read_text()
    begun = time.perf_counter()
    call = json.loads(text)
    judge(call)
    whole = time.perf_counter() - begun
    parts = [(r["run_id"], r["event_id"], r["sequence_number"]) for r in call["references"]]
    begun = time.perf_counter()
    made = (peer.EventReference(*part) for part in parts)
    peer.validate_event_sequence(call["run_id"], made).to_json()
    print(whole, time.perf_counter() - begun)
else:
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)
