/**
 * The program that runs the tasks, in the shell that every system has. Each task has files of its own as its root, and the programs of this machine in
 * `/usr`. The agent reaches the network; what creates its files and what verifies them does not.
 */
export const RUNNER = `#!/bin/sh
# Runs tasks of Harbor, one after the other, each in a sandbox of bubblewrap, and writes their rewards.
# Usage: run.sh TASKS AGENT AGENT_FILES RESULTS
set -u
tasks=$1 agent=$2 agent_files=$3 results=$4
command -v bwrap > /dev/null || { echo "bwrap is missing: install bubblewrap" >&2; exit 2; }
work=$(mktemp -d) || exit 2
trap 'chmod -R u+rwX "$work" 2> /dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# enter SECONDS NETWORK OPTIONS... -- COMMAND...
enter() {
  seconds=$1 network=$2
  shift 2
  [ "$network" = yes ] || set -- --unshare-net "$@"
  for name_of in bin sbin lib lib32 lib64; do
    if [ -L "/$name_of" ]; then [ -L "$root/$name_of" ] || ln -s "usr/$name_of" "$root/$name_of"
    elif [ -d "/$name_of" ]; then set -- --ro-bind "/$name_of" "/$name_of" "$@"; fi
  done
  timeout -k 5 "$seconds" bwrap --unshare-pid --unshare-ipc --unshare-uts --die-with-parent --new-session --clearenv \\
    --bind "$root" / --ro-bind /usr /usr --proc /proc --dev /dev \\
    --ro-bind-try /etc/ssl /etc/ssl --ro-bind-try /etc/resolv.conf /etc/resolv.conf --ro-bind-try /etc/alternatives /etc/alternatives \\
    --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --setenv HOME /root --setenv LANG C.UTF-8 "$@"
}

run_task() {
  folder=$1 name=$(basename "$1")
  . "$folder/task.env"
  root=$work/$name/root verifier=$work/$name/verifier
  mkdir -p "$root/tmp" "$root/root" "$root/etc" "$root/logs/agent" "$root/logs/verifier" "$root/usr" "$verifier"
  echo "root:x:0:0:root:/root:/bin/sh" > "$root/etc/passwd"
  enter 600 no --ro-bind "$source/environment" /ctx --ro-bind "$folder/setup.sh" /etc/setup.sh -- sh -eu /etc/setup.sh ||
    { echo "$name: its files could not be created" >&2; return; }
  set -- --ro-bind "$folder/instruction.md" /etc/instruction.md --ro-bind "$folder/variables.sh" /etc/variables.sh
  command=$agent
  if [ "$agent" = oracle ]; then
    set -- "$@" --ro-bind "$source/solution" /solution
    command="bash /solution/solve.sh"
  elif [ -n "$agent_files" ]; then set -- "$@" --ro-bind "$agent_files" /agent; fi
  enter "$agent_time" yes "$@" --setenv ASSAY_INSTRUCTION /etc/instruction.md \\
    --setenv ASSAY_TARGET_URL "\${ASSAY_TARGET_URL:-}" --setenv ASSAY_TARGET_MODEL "\${ASSAY_TARGET_MODEL:-}" \\
    --setenv ASSAY_TARGET_API_KEY "\${ASSAY_TARGET_API_KEY:-}" -- \\
    sh -c '. /etc/variables.sh; cd "$1" && eval "$2"' agent "$workdir" "$command" < "$folder/instruction.md" ||
    echo "$name: the agent ended with $?" >&2
  enter "$verifier_time" no --ro-bind "$folder/variables.sh" /etc/variables.sh --ro-bind "$source/tests" /tests --bind "$verifier" /logs/verifier -- \\
    sh -c '. /etc/variables.sh; cd "$1" && exec bash /tests/test.sh' verifier "$workdir" < /dev/null ||
    echo "$name: its tests ended with $?" >&2
  for file in reward.txt reward.json; do
    [ ! -f "$verifier/$file" ] || [ -L "$verifier/$file" ] || reward=$(head -c 1000 "$verifier/$file" | tr -d '\\n' | sed -n 's/.*"reward" *: *\\([0-9.eE+-]*\\).*/\\1/p; t; s/^ *\\([0-9.eE+-]*\\) *$/\\1/p')
  done
}

: > "$work/rewards"
for folder in "$tasks"/*/; do
  reward=
  run_task "\${folder%/}"
  case $reward in '' | *[!0-9.eE+-]*) reward=null ;; esac
  echo "$(basename "$folder"): reward $reward"
  echo "$(basename "$folder") $reward" >> "$work/rewards"
done
awk '
  function number(text) { return text == "null" ? "null" : text + 0 }
  { rows = rows sprintf(", \\"%s\\": {\\"reward\\": %s}", $1, number($2)); if ($2 != "null") { sum += $2; count += 1 } }
  END { printf "{\\"harbor\\": {\\"all\\": {\\"reward\\": %s}%s}}\\n", (count == NR && count > 0 ? sum / count : "null"), rows }
' "$work/rewards" > "$results"
`
