"""Both ends of the pipes between trusted side and container, each against one that misbehaves."""

import contextlib
import json
import os
import subprocess
import threading
import time
import tracemalloc
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.course.limits import Limits
from autograder.sandbox import SandboxLost, launch
from autograder.sandbox.backend import Closed, TimedOut
from autograder.sandbox.containers import gateway as gateways
from autograder.sandbox.containers.gateway import Gateway
from autograder.sandbox.containers.process import ContainerChannel, ContainerProcess
from autograder.sandbox.inside.boot import INSIDE_NAME
from autograder.sandbox.inside.frames import Violation, write_frame
from autograder.sandbox.inside.packets import (
    COUNT,
    DATA,
    EFFORT,
    ENDED,
    FAILED,
    HEADER,
    HELLO,
    KILL,
    KINDS,
    MAGIC,
    MOST_PAYLOAD,
    OPEN,
    PEAK,
    SET_UP,
    SPENT,
    STATUS,
    TAKEN,
    WINDOW,
    Nonsense,
    Packet,
    Unpacker,
    pack,
)

SOON = 0.3


class Peer:
    """What stands for a container: it says what it is told to, and hears."""

    def __init__(self):
        from_trusted, self._writing = os.pipe()
        self._reading, to_trusted = os.pipe()
        self.heard = os.fdopen(from_trusted, "rb", buffering=0)
        self.mouth = os.fdopen(to_trusted, "wb", buffering=0)
        self.gateway = Gateway(self._reading, self._writing, lambda: "the engine's last words")
        self.say(MAGIC)

    def say(self, *parts):
        for part in parts:
            self.mouth.write(part)

    def open(self):
        """A process, as the trusted side has it."""
        self.say(pack(OPEN, 1))
        guest = self.gateway.open(Limits())
        channel = ContainerChannel(self.gateway, guest, 1 << 20)
        return guest, ContainerProcess(self.gateway, guest), channel

    def hear(self):
        unpacker, packets = Unpacker(), []
        os.set_blocking(self.heard.fileno(), False)
        while data := self.heard.read(1 << 20):
            packets += unpacker.feed(data)
        return packets


@pytest.fixture
def peer():
    made = Peer()
    yield made
    made.gateway.close()
    made.gateway.close()
    made.heard.close()
    made.mouth.close()


def soon():
    return time.monotonic() + SOON


def converse(channel):
    while True:
        channel.has_unread()
        channel.send(write_frame({}), soon())
        channel.receive(soon())


MISBEHAVIOUR = {
    "an unknown kind": HEADER.pack(b"?", 1, 0),
    "a payload too long": HEADER.pack(DATA, 1, MOST_PAYLOAD + 1),
    "data of another process": pack(DATA, 2, b"x"),
    "data of none": pack(DATA, 0, b"x"),
    "empty data": pack(DATA, 1),
    "an end without a status": pack(ENDED, 1),
    "an end with too much": pack(ENDED, 1, b"12345"),
    "two ends": pack(ENDED, 1, STATUS.pack(0)) + pack(ENDED, 1, STATUS.pack(0)),
    "data after the end": pack(ENDED, 1, STATUS.pack(0)) + pack(DATA, 1, b"x"),
    "taking what was not sent": pack(TAKEN, 1, COUNT.pack(1)),
    "taking nothing": pack(TAKEN, 1, COUNT.pack(0)),
    "a huge count": pack(TAKEN, 1, COUNT.pack(1 << 63)),
    "a second opening": pack(OPEN, 1),
    "a peak that nobody asked for": pack(PEAK, 1, COUNT.pack(1)),
    "an effort that nobody asked for": pack(EFFORT, 1, SPENT.pack(1.0, False)),
    "our own words": pack(KILL, 1) + pack(SET_UP),
    "a second greeting": pack(HELLO, 0, b"{}"),
}


@pytest.mark.parametrize("saying", MISBEHAVIOUR.values(), ids=list(MISBEHAVIOUR))
def test_a_gateway_that_speaks_nonsense_is_lost_at_once_and_for_good(peer, saying):
    _, process, channel = peer.open()
    peer.say(saying)
    with pytest.raises(SandboxLost, match="it sent"):
        converse(channel)
    with pytest.raises(SandboxLost, match="it sent"):
        peer.gateway.open(Limits())
    process.kill()  # nothing more to lose


PACKETS = st.builds(
    pack,
    st.sampled_from(sorted(KINDS)),
    st.integers(0, 2),
    st.one_of(st.binary(max_size=20), st.integers(0, 1 << 20).map(COUNT.pack)),
)


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.lists(PACKETS, max_size=8).map(b"".join)))
def test_whatever_a_gateway_says_it_is_a_clean_loss_or_an_end(said):
    peer = Peer()
    try:
        guest, process, channel = peer.open()
        peer.say(said)
        peer.mouth.close()
        with pytest.raises((SandboxLost, Closed, Violation)):
            channel.receive(soon())
        with contextlib.suppress(SandboxLost, ProcessLookupError):
            process.kill()
            process.peak_bytes()
        assert guest.held <= WINDOW
    finally:
        peer.gateway.close()
        peer.heard.close()


def test_a_flood_of_data_is_stopped_at_the_window(peer):
    _, _, channel = peer.open()
    tracemalloc.start()
    flood = threading.Thread(target=flooded, args=(peer.mouth, pack(DATA, 1, bytes(MOST_PAYLOAD))))
    flood.start()
    with pytest.raises(SandboxLost, match="more data than was asked for"):
        listen(channel)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    peer.gateway.close()
    flood.join()
    assert peak < 4 * WINDOW


def listen(channel):
    end = time.monotonic() + 5
    while time.monotonic() < end:
        channel.has_unread()


def flooded(mouth, packet):
    with contextlib.suppress(BrokenPipeError):
        while True:
            mouth.write(packet)


def test_a_gateway_that_ends_is_lost_with_the_engines_last_words(peer):
    _, _, channel = peer.open()
    peer.mouth.close()
    with pytest.raises(SandboxLost, match="the engine's last words"):
        channel.receive(soon())
    with pytest.raises(SandboxLost):
        channel.send(write_frame({}), soon())


def test_a_gateway_that_reads_nothing_costs_no_more_than_the_deadline(peer):
    _, _, channel = peer.open()
    start = time.monotonic()
    with pytest.raises(TimedOut):
        channel.send([memoryview(bytes(8 << 20))], soon())
    assert time.monotonic() - start < 3


def test_a_gateway_that_does_not_confirm_an_end_is_lost(peer, monkeypatch):
    monkeypatch.setattr(gateways, "ANSWER_SECONDS", SOON)
    _, process, _ = peer.open()
    with pytest.raises(SandboxLost, match="has not ended a process within"):
        process.kill()
    assert peer.hear()[-1] == Packet(KILL, 1, b"")


@pytest.mark.parametrize(
    "effort", [b"1", SPENT.pack(-1, True), SPENT.pack(float("nan"), True)], ids=repr
)
def test_an_effort_that_cannot_be_loses_the_gateway(peer, effort):
    _, process, _ = peer.open()
    peer.say(pack(EFFORT, 1, effort))
    with pytest.raises(SandboxLost, match="container is lost"):
        process.effort()


def test_a_process_that_has_just_ended_makes_no_effort(peer):
    _, process, _ = peer.open()
    peer.say(pack(EFFORT, 1))
    with pytest.raises(ProcessLookupError):
        process.effort()


def test_a_gateway_that_does_not_answer_is_lost(peer, monkeypatch):
    monkeypatch.setattr(gateways, "ANSWER_SECONDS", SOON)
    _, process, _ = peer.open()
    with pytest.raises(SandboxLost, match="has not answered"):
        process.peak_bytes()


def test_a_gateway_that_cannot_make_a_process_is_lost_with_the_reason(peer):
    peer.say(pack(FAILED, 1, b"Resource temporarily unavailable"))
    with pytest.raises(SandboxLost, match="Resource temporarily unavailable"):
        peer.gateway.open(Limits())


def test_data_before_an_end_is_read_before_it(peer):
    _, process, channel = peer.open()
    frame = b"".join(map(bytes, write_frame({"a": 1})))
    peer.say(pack(DATA, 1, frame[:5]), pack(DATA, 1, frame[5:]), pack(ENDED, 1, STATUS.pack(-11)))
    assert channel.receive(soon())[0] == {"a": 1}
    with pytest.raises(Closed):
        channel.receive(soon())
    assert process.why_it_ended().detail == "signal 11 (SIGSEGV)"
    with pytest.raises(ProcessLookupError):
        process.peak_bytes()


def test_a_frame_in_drips_ends_at_the_deadline(peer):
    _, _, channel = peer.open()
    peer.say(pack(DATA, 1, b"agw1"))
    start = time.monotonic()
    with pytest.raises(TimedOut):
        channel.receive(soon())
    assert time.monotonic() - start < 2


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([DATA, HELLO, KILL]), st.integers(0, 9), st.binary())),
    st.integers(1, 50),
)
def test_packets_come_out_as_they_went_in_however_they_are_cut(packets, step):
    stream = b"".join(pack(*packet) for packet in packets)
    unpacker = Unpacker()
    pieces = [stream[at : at + step] for at in range(0, len(stream), step)]
    found = [packet for piece in pieces for packet in unpacker.feed(piece)]
    assert found == [Packet(*packet) for packet in packets]


@settings(max_examples=300, deadline=None)
@given(st.binary(min_size=9, max_size=100))
def test_what_is_no_packet_is_refused_or_waited_for(data):
    try:
        packets = list(Unpacker().feed(data))
    except Nonsense:
        return
    assert all(HEADER.size + len(packet.payload) <= len(data) for packet in packets)


# The other end: the gateway in the container, and a trusted side that makes mistakes.

BOOT = (
    f"import sys; sys.path.insert(0, sys.argv[1]); from {INSIDE_NAME}.gateway import main; main()"
)


@pytest.fixture
def inside(tmp_path):
    """The gateway's program, started as in a container, but that it has no place to work in."""
    for entry, source in launch.OURS.items():
        (tmp_path / entry).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / entry).symlink_to(source)
    started = subprocess.Popen(
        [launch._python(), "-S", "-s", "-B", "-P", "-c", BOOT, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with started:
        yield started
        started.kill()


def test_the_gateway_greets_and_ends_when_the_trusted_side_hangs_up(inside):
    assert inside.stdout.read(len(MAGIC)) == MAGIC
    kind, number, size = HEADER.unpack(inside.stdout.read(HEADER.size))
    assert (kind, number) == (HELLO, 0)
    assert len(json.loads(inside.stdout.read(size))["fingerprint"]) == 64
    inside.stdin.close()
    assert inside.wait(10) == 0
    assert inside.stderr.read() == b""


@pytest.mark.parametrize(
    "said",
    [
        pack(OPEN, 1, json.dumps(asdict(launch.allowance_of(Limits()))).encode()),
        pack(HELLO, 0, b"{}"),
        b"\xff" * 50,
    ],
    ids=["a process too early", "an echo", "no packet"],
)
def test_the_gateway_ends_over_what_it_does_not_understand(inside, said):
    inside.stdin.write(said)
    inside.stdin.flush()
    assert inside.wait(10) == 1
    assert b"the gateway ends: a packet" in inside.stderr.read()
