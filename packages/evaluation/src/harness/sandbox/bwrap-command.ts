import { SANDBOX_WORK, type SandboxedRun } from "./harness-sandbox.ts"
import {
  innerCommand,
  MAX_SHARED_BYTES,
  NOBODY,
  ownFiles,
  withoutRights,
  type SandboxLayout,
} from "./sandbox-layout.ts"
import type { SystemPlaces } from "./system-places.ts"

const NAMESPACES = ["pid", "net", "ipc", "uts"].map((kind) => `--unshare-${kind}`)

/** What root keeps until it has become nobody. */
const RIGHTS = ["SETUID", "SETGID", "SETPCAP"].flatMap((right) => ["--cap-add", `CAP_${right}`])

interface BwrapOptions {
  /** Whether the command may make no user namespaces of its own; bubblewrap before 0.8, and one that is setuid, can't see to that. */
  readonly isNestingOff: boolean
}

/** Starts a command with bubblewrap. */
export function bwrapCommand(
  run: SandboxedRun,
  layout: SandboxLayout,
  { isNestingOff }: BwrapOptions,
): readonly [string, ...string[]] {
  const { places, isRoot, tools } = layout
  const bound = [...places.bound, ...ownFiles(run, layout)]
  // By itself bubblewrap makes folders that only their owner may enter.
  const parents = new Set(bound.flatMap(({ target }) => foldersAbove(target)))
  const folders = [...parents].toSorted().flatMap((path) => ["--dir", path])
  const binds = bound.flatMap(({ source, target }) => ["--ro-bind", source, target])
  const user = isRoot
    ? ["--cap-drop", "ALL", ...RIGHTS]
    : ["--unshare-user", "--uid", `${NOBODY}`, "--gid", `${NOBODY}`, ...(isNestingOff ? ["--disable-userns"] : [])]
  return [
    tools.bwrap ?? "bwrap",
    ...NAMESPACES,
    "--unshare-cgroup-try",
    ...user,
    "--die-with-parent",
    ...places.links.flatMap(({ to, path }) => ["--symlink", to, path]),
    // First: a folder of the operator's may lie below it.
    "--bind",
    run.temporary,
    "/tmp",
    ...folders,
    ...binds,
    ...places.hidden.flatMap(hide),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--perms",
    "1777",
    "--size",
    String(MAX_SHARED_BYTES),
    "--tmpfs",
    "/dev/shm",
    "--bind",
    run.work,
    SANDBOX_WORK,
    // What was mounted on stays as it is.
    "--remount-ro",
    "/",
    "--",
    ...(isRoot ? withoutRights(tools.setpriv ?? "setpriv") : []),
    ...innerCommand(run, layout),
  ]
}

/** `/a` and `/a/b` of `/a/b/c`. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(1, -1)
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)
}

function hide({ path, isFolder }: SystemPlaces["hidden"][number]): readonly string[] {
  return isFolder ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path]
}
