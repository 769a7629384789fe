#!/bin/sh
# Fails where a judge blocks one of the prompts of a file, or can't be asked. Usage: self-check.sh PROMPTS
set -eu

prompts=${1:?give a file with a prompt on each line}
verdicts=$(mktemp)
trap 'rm -f "$verdicts"' EXIT

code=0
${ASSAY:-assay} guard check --data "$prompts" \
  --config "${JUDGE_CONFIG:-self-check}" \
  --url "${JUDGE_URL:-http://127.0.0.1:9000/v1}" \
  --model "${JUDGE_MODEL:-self-check}" >"$verdicts" || code=$?

case $code in
0) echo "$(wc -l <"$verdicts" | tr -d ' ') prompts passed" ;;
1)
  echo "blocked:"
  grep '"status":"blocked"' "$verdicts" | sed 's/.*"prompt":\("[^"]*"\).*/  \1/'
  ;;
3) echo "the judge left some prompts open; its answers:" && grep '"status":"unknown"' "$verdicts" ;;
*) echo "the judge could not be asked (exit code $code)" ;;
esac
exit "$code"
