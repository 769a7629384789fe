import { SANDBOX_WORK, type SandboxedRun } from "./harness-sandbox.ts"
import {
  innerCommand,
  MAX_SHARED_BYTES,
  NOBODY,
  ownFiles,
  withoutRights,
  type SandboxLayout,
} from "./sandbox-layout.ts"
import type { SystemPaths } from "./system-paths.ts"

const NAMESPACES = ["pid", "net", "ipc", "uts"].map((kind) => `--unshare-${kind}`)

/** The rights that root keeps until it has become `nobody`. */
const RIGHTS = ["SETUID", "SETGID", "SETPCAP"].flatMap((right) => ["--cap-add", `CAP_${right}`])

interface BwrapOptions {
  /** Whether the command is kept from creating user namespaces. Needs bubblewrap 0.8 or later that is not setuid. */
  readonly isNestingOff: boolean
}

/** Returns the command that starts a run with bubblewrap. */
export function bwrapCommand(
  run: SandboxedRun,
  layout: SandboxLayout,
  { isNestingOff }: BwrapOptions,
): readonly [string, ...string[]] {
  const { paths, isRoot, tools } = layout
  const bound = [...paths.bound, ...ownFiles(run, layout)]
  // Created explicitly, because bubblewrap itself creates folders that only their owner may enter.
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
    ...paths.links.flatMap(({ to, path }) => ["--symlink", to, path]),
    // Before the others: a folder of the operator may be below /tmp.
    "--bind",
    run.temporary,
    "/tmp",
    ...folders,
    ...binds,
    ...paths.hidden.flatMap(hide),
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
    // Mounts below the root are not affected.
    "--remount-ro",
    "/",
    "--",
    ...(isRoot ? withoutRights(tools.setpriv ?? "setpriv") : []),
    ...innerCommand(run, layout),
  ]
}

/** Returns the folders above a path: `/a` and `/a/b` for `/a/b/c`. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(1, -1)
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)
}

function hide({ path, isFolder }: SystemPaths["hidden"][number]): readonly string[] {
  return isFolder ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path]
}
