"""Runs a command on a terminal of its own and types each answer once its question stands still. Prints what was shown, and ends as the command does."""

import json
import os
import pty
import select
import signal
import sys
import time

PATIENCE_SECONDS = 30
# Progress is painted four times a second, and must not be painted over a question.
STILL_SECONDS = 0.6

steps, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
shown, read_to = b"", 0
deadline = time.monotonic() + PATIENCE_SECONDS
while True:
    ready, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
    try:
        part = os.read(terminal, 65536) if ready else b""
    except OSError:  # Linux says so when the command has ended.
        part = b""
    if not part:
        break
    shown += part
    while steps and steps[0][0].encode() in shown[read_to:]:
        question, answer = steps.pop(0)
        read_to = shown.index(question.encode(), read_to) + len(question.encode())
        while select.select([terminal], [], [], STILL_SECONDS)[0] and time.monotonic() < deadline:
            shown += os.read(terminal, 65536)
        os.write(terminal, answer.encode())
if not ready:
    os.kill(pid, signal.SIGKILL)
_, status = os.waitpid(pid, 0)
sys.stdout.write(shown.decode())
sys.exit(os.waitstatus_to_exitcode(status) % 256)
