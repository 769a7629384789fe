import { chown, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { FilePath } from "@assay/storage"
import type { SandboxTools } from "./sandbox-tools.ts"
import { SANDBOX_ENDPOINT_PORT, SANDBOX_WORK, type HarnessSandbox, type SandboxedRun } from "./harness-sandbox.ts"
import type { SystemPlaces } from "./system-places.ts"

/** What both ways to build a sandbox have in common. */
export interface SandboxLayout {
  readonly tools: SandboxTools
  readonly places: SystemPlaces
  /** Whether the server is root, which gives up its rights for the command instead of mapping its user. */
  readonly isRoot: boolean
  /** The program of Node and the script that reaches the proxy of an endpoint. */
  readonly relay: { readonly node: string; readonly script: string }
}

/** The user of a command: nobody, to whom no file belongs. */
export const NOBODY = 65_534

/** Where the sandbox has what belongs to us. */
const OWN = "/run/assay"
const SOCKET = `${OWN}/endpoint.sock`

/** Under a name by which Node knows that it is a module. */
const relayAt = (script: string) => `${OWN}/relay.m${script.endsWith(".ts") ? "ts" : "js"}`

/** Bytes of memory that files in `/dev/shm` may take. */
export const MAX_SHARED_BYTES = 1024 ** 3
/** Processes and threads at a time. */
const MAX_PROCESSES = 4096
/** Bytes of one file. */
const MAX_FILE_BYTES = 64 * 1024 ** 3

/** The files of ours that a run needs in its sandbox, by where they go. */
export function ownFiles(run: SandboxedRun, { relay }: SandboxLayout) {
  const accounts = [
    { source: `${run.setup}/passwd`, target: "/etc/passwd", isFolder: false },
    { source: `${run.setup}/group`, target: "/etc/group", isFolder: false },
  ]
  if (run.endpointSocket === undefined) return accounts
  return [
    ...accounts,
    { source: relay.node, target: `${OWN}/node`, isFolder: false },
    { source: relay.script, target: relayAt(relay.script), isFolder: false },
    { source: run.endpointSocket, target: SOCKET, isFolder: false },
  ]
}

const PASSWD = `root:x:0:0:root:/:/bin/sh\nnobody:x:${NOBODY}:${NOBODY}:nobody:${SANDBOX_WORK}:/bin/sh\n`
export const GROUP = `root:x:0:\nnogroup:x:${NOBODY}:\n`

/**
 * Takes the variables over, and enters its folder: as its own user, inside. When memory runs out, it is ended before the server.
 */
const BEGIN = [
  'eval "$(/bin/cat <&3)"',
  "exec 3<&-",
  `cd ${SANDBOX_WORK} || exit 1`,
  "echo 1000 2>/dev/null >/proc/self/oom_score_adj",
  '"$@"',
  'exit "$?"',
].join("\n")

/** The command as it is started inside: with bounds, and behind the relay where it has an endpoint. */
export function innerCommand(run: SandboxedRun, { tools, relay }: SandboxLayout): readonly string[] {
  const { prlimit } = tools
  const reach = [`${OWN}/node`, relayAt(relay.script), SOCKET, String(SANDBOX_ENDPOINT_PORT)]
  const bounds = [`--nproc=${MAX_PROCESSES}`, `--fsize=${MAX_FILE_BYTES}`, "--core=0"]
  return [
    ...(prlimit === undefined ? [] : [prlimit, ...bounds, "--"]),
    "/bin/sh",
    "-c",
    BEGIN,
    "harness",
    ...(run.endpointSocket === undefined ? [] : reach),
    ...run.command,
  ]
}

/** Gives up the rights of root for good. */
export function withoutRights(setpriv: string): readonly string[] {
  const user = ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"]
  return [setpriv, ...user, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"]
}

interface PrepareSandboxOptions extends Pick<SandboxedRun, "command" | "endpointSocket"> {
  /** Of the caller's own, and empty. */
  readonly folder: string
  /** The file that the command is to write: its folder is made. */
  readonly results?: FilePath
}

/** Makes the folders of a run below `folder`, which belong to whoever runs the command. */
export async function prepareSandbox(
  { owner }: HarnessSandbox,
  { folder, results, ...run }: PrepareSandboxOptions,
): Promise<SandboxedRun> {
  const [work, temporary, setup] = [join(folder, "work"), join(folder, "tmp"), join(folder, "setup")]
  const parents = results?.split("/").slice(0, -1) ?? []
  const inside = parents.map((_, index) => join(work, ...parents.slice(0, index + 1)))
  for (const path of [work, temporary, ...inside]) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  }
  await mkdir(join(setup, "root"), { recursive: true })
  await writeFile(join(setup, "passwd"), PASSWD, { mode: 0o644 })
  await writeFile(join(setup, "group"), GROUP, { mode: 0o644 })
  return { ...run, work, temporary, setup }
}
