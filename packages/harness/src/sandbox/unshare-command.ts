import { dirname } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { quote, SANDBOX_WORK, type SandboxedRun } from "./harness-sandbox.ts"
import {
  innerCommand,
  MAX_SHARED_BYTES,
  NOBODY,
  ownFiles,
  withoutRights,
  type SandboxLayout,
} from "./sandbox-layout.ts"
import type { SystemPaths } from "./system-paths.ts"

const DEVICES = ["null", "zero", "full", "random", "urandom"]
const NAMESPACES = ["--mount", "--pid", "--net", "--ipc", "--uts"]

/**
 * A shell function that makes each mount at a path and below it read-only (`ro`), or writable without devices (`rw`). Existing mount
 * flags stay, because a user namespace may not remove them.
 */
const SEAL = `seal() {
  while read -r _ _ _ _ place options _; do
    case "$place" in *\\\\*) place=$(printf %b "$place") ;; esac
    case "$place" in
      "$root$1"|"$root$1"/*) mount -o "remount,bind,$2\${options#r[ow]},nosuid" "$place" ;;
    esac
  done </proc/self/mountinfo
}`

/** Returns the command that starts a run with `unshare` of util-linux, in a root folder that a shell script puts together. */
export function unshareCommand(run: SandboxedRun, layout: SandboxLayout): readonly [string, ...string[]] {
  const { isRoot, tools } = layout
  if (run.endpointSocket !== undefined && tools.ip === undefined) {
    const message =
      "A harness with `network: endpoint` needs bubblewrap, or `ip` of iproute2, on the server's machine; ask the operator to install one."
    throw new AssayError("harness_not_allowed", message)
  }
  return [
    tools.unshare ?? "unshare",
    ...(isRoot ? [] : ["--user", "--map-root-user"]),
    ...NAMESPACES,
    "--fork",
    "--kill-child",
    "--",
    "/bin/sh",
    "-c",
    script(run, layout),
    "sandbox",
    ...entry(layout),
    ...innerCommand(run, layout),
  ]
}

/** Returns the prefix by which the command becomes `nobody`. A second user namespace takes away the rights of the first. */
function entry({ isRoot, tools }: SandboxLayout): readonly string[] {
  const setpriv = tools.setpriv ?? "setpriv"
  if (isRoot) return withoutRights(setpriv)
  const user = ["--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
  return [tools.unshare ?? "unshare", ...user, "--", setpriv, "--inh-caps=-all", "--no-new-privs", "--"]
}

function script(run: SandboxedRun, layout: SandboxLayout): string {
  const { paths, isRoot, tools } = layout
  const bound = [...paths.bound, ...ownFiles(run, layout)]
  return [
    "set -eu",
    "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
    `root=${quote(`${run.setup}/root`)}`,
    SEAL,
    'mount -t tmpfs -o mode=0755,nosuid,nodev sandbox "$root"',
    'mkdir -p "$root/proc" "$root/dev/shm" "$root/.old"',
    ...paths.links.map(({ to, path }) => `ln -s ${quote(to)} "$root"${quote(path)}`),
    // Before the others: a folder of the operator may be below /tmp.
    ...bind(run.temporary, "/tmp"),
    ...bound.flatMap(({ source, target, isFolder }) => [
      ...makeTarget(target, isFolder),
      `mount --rbind ${quote(source)} "$root"${quote(target)}`,
      `seal ${quote(target)} ro`,
    ]),
    ...paths.hidden.map(hide),
    ...DEVICES.flatMap((name) => [`: >"$root/dev/${name}"`, `mount --bind /dev/${name} "$root/dev/${name}"`]),
    'ln -s /proc/self/fd "$root/dev/fd"',
    `mount -t tmpfs -o mode=1777,size=${MAX_SHARED_BYTES},nosuid,nodev shm "$root/dev/shm"`,
    ...bind(run.work, SANDBOX_WORK),
    'mount -t proc -o nosuid,nodev,noexec proc "$root/proc"',
    ...(tools.ip === undefined ? [] : [`${quote(tools.ip)} link set lo up`]),
    'cd "$root"',
    `${quote(tools.pivot_root ?? "pivot_root")} . .old`,
    "umount -l /.old",
    "rmdir /.old",
    "mount -o remount,bind,ro,nosuid,nodev /",
    // The command has one namespace and can't create others.
    ...(isRoot ? [] : ["echo 1 >/proc/sys/user/max_user_namespaces"]),
    "cd /",
    // Their values would reveal paths of this machine.
    "unset PWD OLDPWD PATH",
    'exec "$@"',
  ].join("\n")
}

function hide({ path, isFolder }: SystemPaths["hidden"][number]): string {
  const mounted = `"$root"${quote(path)}`
  return isFolder ? `mount -t tmpfs -o ro,nosuid,nodev hidden ${mounted}` : `mount --bind /dev/null ${mounted}`
}

/** Mounts a folder that the command can write to. */
function bind(source: string, target: string): readonly string[] {
  return [
    ...makeTarget(target, true),
    `mount --bind ${quote(source)} "$root"${quote(target)}`,
    `seal ${quote(target)} rw`,
  ]
}

function makeTarget(target: string, isFolder: boolean): readonly string[] {
  if (isFolder) return [`mkdir -p "$root"${quote(target)}`]
  return [`mkdir -p "$root"${quote(dirname(target))}`, `: >"$root"${quote(target)}`]
}
