# Where do the replicas lie? Sourced.
SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILT=$(cd "$SCRIPTS/../../.." && pwd)/dist/test/bench/replicas
HOME_OF_REPLICAS=${REPLICAS_HOME:-${TMPDIR:-/tmp}/dustbuster-replicas}
RUN=$HOME_OF_REPLICAS/run
export LC_ALL=C.UTF-8 TZ=UTC
mkdir -p "$RUN"
