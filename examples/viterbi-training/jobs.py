"""Independent pieces of an experiment: run on all cores, each result kept in a file as soon as it is there.

A run that was interrupted goes on where it stopped: jobs whose result is in the file are not run again.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

from tqdm import tqdm


@dataclass(frozen=True)
class Job:
    """A function of a module with its arguments. The key names the result; it holds all that decides it."""

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Results:
    """Results by key, one JSON line each."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.found: dict[str, Any] = {}
        self.seconds: dict[str, float] = {}  # how long each took
        if file.exists():
            text = file.read_text(encoding="utf-8", errors="replace")
            if text and not text.endswith("\n"):
                with file.open("a", encoding="utf-8") as unfinished:
                    unfinished.write("\n")
            for line in text.splitlines():
                try:
                    entry = json.loads(line)
                    self.found[entry["key"]] = entry["result"]
                    self.seconds[entry["key"]] = float(entry["seconds"])
                except (ValueError, KeyError, TypeError):
                    continue  # no result: the last line of a run that was killed while it wrote

    def add(self, key: str, result: Any, seconds: float) -> None:
        self.found[key] = result
        self.seconds[key] = seconds
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "result": result, "seconds": round(seconds, 3)}) + "\n")


def run_jobs(title: str, jobs: Sequence[Job], results: Results, workers: int) -> None:
    """Run what is not there yet."""
    left = [job for job in jobs if job.key not in results.found]
    bar = tqdm(total=len(jobs), initial=len(jobs) - len(left), desc=title, unit="run", dynamic_ncols=True)
    # Each process loads the programs it needs once and keeps them. `spawn`: no copies of threads.
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    with bar, ProcessPoolExecutor(max(1, min(workers, len(left))), context, end_with, (theirs,)) as pool:
        try:
            # An interrupt is for this process: those that are started meanwhile inherit that it is blocked.
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            waiting: dict[Future[Any], Job] = {pool.submit(timed, job): job for job in left}
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
            for future in as_completed(waiting):
                results.add(waiting.pop(future).key, *future.result())
                bar.update()
        except BrokenProcessPool:
            raise SystemExit(
                "A process was ended from outside, perhaps because memory ran out. What is finished is kept: "
                "the same command goes on from here (with --workers 1 it needs the least memory)."
            ) from None
        except BaseException:
            ours.close()  # ends the processes, whatever they are at
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def timed(job: Job) -> tuple[Any, float]:
    """The result of a job, and its seconds."""
    start = time.perf_counter()
    result = job.function(*job.arguments)
    return result, time.perf_counter() - start


def end_with(parent: Connection) -> None:
    """Ends this process when the other end of a pipe is closed: by the parent, or because it is gone."""

    def watch() -> None:
        parent.poll(None)
        os._exit(1)

    Thread(target=watch, daemon=True).start()
