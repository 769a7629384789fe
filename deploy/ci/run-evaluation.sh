#!/bin/sh
# Runs an evaluation in CI: prints its outcome, writes results, JUnit and a summary, and exits as its gates say.
#
# Everything comes from variables, so that no value is ever part of a command line that somebody else wrote:
#   ASSAY_CI_FILE          the evaluation file (required)
#   ASSAY_CI_GATES         gates, one on each line, such as task.metric.score>=0.8
#   ASSAY_CI_AGAINST       a baseline or a job of the server, or a folder with results
#   ASSAY_CI_MARGIN        with ASSAY_CI_AGAINST: how much worse a score may be
#   ASSAY_CI_OUT           folder for results, junit.xml and summary.md (default: assay-ci)
#   ASSAY_CI_INCONCLUSIVE  "fail" (default) or "pass": what an undecided gate means
#   ASSAY_CI_KEY_VARIABLE  name of the variable with the key of the model, and
#   ASSAY_CI_KEY           its value
#   ASSAY                  the command (default: assay)
# The command itself reads ASSAY_URL, ASSAY_TOKEN, ASSAY_KEY_HOSTS and ASSAY_ALLOWED_FOLDERS.
#
# Exit code: 0 the gates pass, 1 a gate or the job fails, 3 a gate is not decided, 2 something has to be repaired.
set -eu

refuse() {
  echo "run-evaluation.sh: $1" >&2
  exit 2
}

[ -n "${ASSAY_CI_FILE:-}" ] || refuse "ASSAY_CI_FILE (input 'file') names no evaluation file."
out=${ASSAY_CI_OUT:-assay-ci}
case ${ASSAY_CI_INCONCLUSIVE:-fail} in
fail | pass) ;;
*) refuse "ASSAY_CI_INCONCLUSIVE (input 'inconclusive') is '$ASSAY_CI_INCONCLUSIVE'; write fail or pass." ;;
esac
# A changed file of a pull request names no rows outside of its repository: set, the variable restricts them, too.
export ASSAY_ALLOWED_FOLDERS="${ASSAY_ALLOWED_FOLDERS-}"
# An empty variable means that the input was left out.
for name in ASSAY_URL ASSAY_TOKEN ASSAY_KEY_HOSTS; do
  eval "value=\${$name:-}"
  [ -n "$value" ] || unset "$name"
done

is_github() { [ "${GITHUB_ACTIONS:-}" = true ]; }

# Tells GitHub to replace each line of a value by *** in the log.
mask() {
  is_github || return 0
  printf '%s\n' "$1" | while IFS= read -r line; do
    [ -z "$line" ] || printf '::add-mask::%s\n' "$(printf '%s' "$line" | sed 's/%/%25/g')"
  done
}

[ -z "${ASSAY_TOKEN:-}" ] || mask "$ASSAY_TOKEN"
if [ -n "${ASSAY_CI_KEY:-}" ]; then
  mask "$ASSAY_CI_KEY"
  case ${ASSAY_CI_KEY_VARIABLE:-} in
  '' | [0-9]* | *[!A-Za-z0-9_]*)
    refuse "ASSAY_CI_KEY_VARIABLE (input 'model-key-variable') is not the name of a variable, such as MODEL_KEY."
    ;;
  esac
  export "$ASSAY_CI_KEY_VARIABLE=$ASSAY_CI_KEY"
  unset ASSAY_CI_KEY
fi

mkdir -p "$out"
rm -f "$out/summary.md" "$out/junit.xml"
# A name that begins with '-' is not an option.
case $ASSAY_CI_FILE in -*) ASSAY_CI_FILE=./$ASSAY_CI_FILE ;; esac
set -- "$ASSAY_CI_FILE" "--out=$out/run" --force "--junit=$out/junit.xml" "--summary=$out/summary.md"
[ -z "${ASSAY_CI_AGAINST:-}" ] || set -- "$@" "--against=$ASSAY_CI_AGAINST"
[ -z "${ASSAY_CI_MARGIN:-}" ] || set -- "$@" "--margin=$ASSAY_CI_MARGIN"
gates=${ASSAY_CI_GATES:-}
while [ -n "$gates" ]; do
  gate=$(printf '%s\n' "$gates" | sed -n '1{s/^[[:space:]]*//;s/[[:space:]]*$//;p;}')
  gates=$(printf '%s\n' "$gates" | sed 1d)
  [ -z "$gate" ] || set -- "$@" "--gate=$gate"
done

# What a model has answered could look like a command for GitHub, so commands are off while the evaluation prints.
stop=
if is_github; then
  stop=assay-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$stop"
fi

# Runs in the background, because a shell that waits for a program in the foreground passes no signal on.
${ASSAY:-assay} eval run "$@" &
pid=$!
trap 'kill -TERM "$pid" 2>/dev/null || :' INT TERM
code=0
wait "$pid" || code=$?
while kill -0 "$pid" 2>/dev/null; do
  code=0
  wait "$pid" || code=$?
done
trap - INT TERM
[ -z "$stop" ] || echo "::$stop::"

case $code in
0) verdict=PASS ;;
1) verdict=FAIL ;;
3) verdict=INCONCLUSIVE ;;
*) verdict=ERROR ;;
esac
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$out/summary.md" ]; then { echo && cat "$out/summary.md"; } >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'verdict=%s\nexit-code=%s\n' "$verdict" "$code" >>"$GITHUB_OUTPUT"; fi
if [ "$code" = 3 ] && [ "${ASSAY_CI_INCONCLUSIVE:-fail}" = pass ]; then
  echo "The gates are not decided, which passes here (inconclusive: pass)."
  exit 0
fi
exit "$code"
