#===- measure.py - how long launches take ----------------------------------===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The method of measurement, apart from what is measured.

Device time: many launches are captured in a CUDA graph, so that the host's
part does not count, and CUDA events stand around its replay. The launches of a
graph go round several sets of arrays, together several times the L2 cache, so
that no launch finds its input there. Contenders take turns, a replay each, for
a number of rounds; what counts is the median over the rounds, since clocks and
neighbours change from one moment to the next for all of them alike.

Host time: the wall clock over a batch of launches, synchronised before it, of a
kernel so short that the device never makes the host wait.
"""

import dataclasses
import statistics
import time
from typing import Callable

import torch

# Length of one replay; events have a resolution of about a microsecond.
REPLAY_SECONDS = 4e-3
MAX_LAUNCHES = 1000
# A first guess at a launch's time, for the number of launches in a graph.
GUESS_SECONDS, GUESS_BYTES_PER_SECOND = 2.5e-6, 4e12
# All sets together, in caches.
CACHES = 4
DEFAULT_CACHE = 64 << 20


@dataclasses.dataclass
class Contender:
    """launch(i) works on the set of arrays number i."""

    name: str
    launch: Callable[[int], None]


def set_count(bytes_moved):
    """How many sets of arrays a graph goes round."""
    properties = torch.cuda.get_device_properties(0)
    cache = getattr(properties, "L2_cache_size", 0) or DEFAULT_CACHE
    return max(2, -(-CACHES * cache // bytes_moved))


def launch_count(bytes_moved, sets):
    """Launches in a graph: a multiple of the number of sets."""
    guess = GUESS_SECONDS + bytes_moved / GUESS_BYTES_PER_SECOND
    launches = min(MAX_LAUNCHES, REPLAY_SECONDS / guess)
    return sets * max(1, round(launches / sets))


def capture(contender, sets, launches):
    """A graph of `launches` launches. Each set is used once before: modules
    are loaded and kernels compiled then, neither of which can be captured."""
    for i in range(sets):
        contender.launch(i)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(launches):
            contender.launch(i % sets)
    graph.replay()
    return graph


def device_times(contenders, sets, bytes_moved, rounds):
    """Seconds per launch of each contender: a dict from its name to a list with
    one value a round."""
    launches = launch_count(bytes_moved, sets)
    graphs = [capture(each, sets, launches) for each in contenders]
    times = {each.name: [] for each in contenders}
    for number in range(rounds):
        # Another one begins each round. The first replay is not timed: it keeps
        # the device busy while the host launches those that are.
        order = [(number + i) % len(graphs) for i in range(len(graphs))]
        torch.cuda.synchronize()
        graphs[order[-1]].replay()
        events = {}
        for i in order:
            events[i] = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            events[i][0].record()
            graphs[i].replay()
            events[i][1].record()
        torch.cuda.synchronize()
        for i, (start, end) in events.items():
            seconds = start.elapsed_time(end) * 1e-3
            times[contenders[i].name].append(seconds / launches)
    return times


def host_time(launch, batches=20, size=200):
    """Median seconds of host time per call of `launch`."""
    for _ in range(3):
        launch()
    means = []
    for _ in range(batches):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(size):
            launch()
        means.append((time.perf_counter() - start) / size)
    torch.cuda.synchronize()
    return statistics.median(means)
