#!/bin/bash
# Stops what up.sh started.
. "$(dirname "$0")/common.sh"
for name in nginx apache; do
  pid=$(cat "$RUN/$name.pid" 2>/dev/null) || continue
  tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -e "$HOME_OF_REPLICAS" || continue
  kill "$pid"
  for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
done
