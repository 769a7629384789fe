import { chown, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createFolder } from "@assay/storage"
import type { FilePath } from "@assay/storage"
import { SANDBOX_ENDPOINT_PORT, SANDBOX_WORK, type HarnessSandbox, type SandboxedRun } from "./harness-sandbox.ts"
import type { SandboxTools } from "./sandbox-tools.ts"
import type { SystemPaths } from "./system-paths.ts"

/** The parts that both ways to build a sandbox need. */
export interface SandboxLayout {
  readonly tools: SandboxTools
  readonly paths: SystemPaths
  /** Whether the server runs as root. Then the command gives up its rights; otherwise its user is mapped in a user namespace. */
  readonly isRoot: boolean
  /** The Node program, and the script that connects the sandbox with the proxy of the endpoint. */
  readonly relay: { readonly node: string; readonly script: string }
}

/** The user of a command: `nobody`, who owns no files. */
export const NOBODY = 65_534

/** The folder of Assay's own files in the sandbox. */
const OWN = "/run/assay"
const SOCKET = `${OWN}/endpoint.sock`

/** The path of the relay, with an extension by which Node treats it as a module. */
const relayAt = (script: string) => `${OWN}/relay.m${script.endsWith(".ts") ? "ts" : "js"}`

/** Maximum size of all files in `/dev/shm`, in bytes. */
export const MAX_SHARED_BYTES = 1024 ** 3
/** Maximum number of processes and threads at a time. */
const MAX_PROCESSES = 4096
/** Maximum size of one file, in bytes. */
const MAX_FILE_BYTES = 64 * 1024 ** 3

/** Lists Assay's own files that a run needs in its sandbox. */
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
const GROUP = `root:x:0:\nnogroup:x:${NOBODY}:\n`

/** Runs inside the sandbox as the user of the command: sets the variables, enters the folder, and makes the kernel kill it before the server if memory runs out. */
const BEGIN = [
  'eval "$(/bin/cat <&3)"',
  "exec 3<&-",
  `cd ${SANDBOX_WORK} || exit 1`,
  "echo 1000 2>/dev/null >/proc/self/oom_score_adj",
  '"$@"',
  'exit "$?"',
].join("\n")

/** Returns the command as it is started inside: with limits, and through the relay if it may reach an endpoint. */
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

/** Returns the prefix of a command that gives up the rights of root for good. */
export function withoutRights(setpriv: string): readonly string[] {
  const user = ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"]
  return [setpriv, ...user, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"]
}

interface PrepareSandboxOptions extends Pick<SandboxedRun, "command" | "endpointSocket"> {
  /** An empty folder of the caller. */
  readonly folder: string
  /** The file that the command will write. Its folder is created. */
  readonly results?: FilePath
}

/** Creates the folders of a run below `folder`, owned by the user of the command. */
export async function prepareSandbox(
  { owner }: Pick<HarnessSandbox, "owner">,
  { folder, results, ...run }: PrepareSandboxOptions,
): Promise<SandboxedRun> {
  const work = join(folder, "work")
  const temporary = join(folder, "tmp")
  const setup = join(folder, "setup")
  const parents = results?.split("/").slice(0, -1) ?? []
  const inside = parents.map((_, index) => join(work, ...parents.slice(0, index + 1)))
  for (const path of [work, temporary, ...inside]) {
    await createFolder(path, { mode: 0o700, durable: false })
    if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  }
  await createFolder(join(setup, "root"), { durable: false })
  await writeFile(join(setup, "passwd"), PASSWD, { mode: 0o644 })
  await writeFile(join(setup, "group"), GROUP, { mode: 0o644 })
  return { ...run, work, temporary, setup }
}
