import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { runCommand } from "../run-command.ts"
import { bwrapCommand } from "./bwrap-command.ts"
import { relayScript } from "./endpoint-relay-script.ts"
import { handVariables, SANDBOX_WORK, type HarnessSandbox } from "./harness-sandbox.ts"
import { NOBODY, prepareSandbox, type SandboxLayout } from "./sandbox-layout.ts"
import { findSandboxTools, type SandboxTools } from "./sandbox-tools.ts"
import { findSystemPaths } from "./system-paths.ts"
import { unshareCommand } from "./unshare-command.ts"

export interface OpenSandboxOptions {
  /** The platform of this process, such as `linux`. */
  readonly platform: string
  /** The user id of this process. */
  readonly uid: number
  /** The path of the Node program. */
  readonly node: string
  /** Absolute paths of folders that commands may read besides those of the system. */
  readonly folders: readonly string[]
  /** Absolute paths of files and folders that no command may see, even in a folder that it may read. */
  readonly hidden: readonly string[]
  /** Default: the installed ones. */
  readonly tools?: SandboxTools | undefined
}

const PROBE_MS = 20_000
/** Paths that the sandbox makes itself, with everything below them. */
const RESERVED = ["/dev", "/etc", "/proc", "/sys", SANDBOX_WORK]
/** Paths that can't be shown whole. Folders below them can be shown. */
const PARTS: ReadonlySet<string> = new Set(["/", "/run", "/tmp"])

/**
 * Opens a sandbox for harness commands with bubblewrap, or with `unshare` of util-linux. Runs a test command in it first.
 * @throws `bad_settings` if neither works, with what is missing; `bad_settings` for a folder that can't be shown
 */
export async function openHarnessSandbox(options: OpenSandboxOptions): Promise<HarnessSandbox> {
  const { platform, uid, node, folders, hidden, tools = findSandboxTools() } = options
  if (platform !== "linux") throw unavailable([`the system is ${platform}, and sandboxes need Linux`])
  checkFolders(folders)
  const paths = findSystemPaths(folders, hidden)
  const relay = { node, script: relayScript() }
  const layout: SandboxLayout = { tools, paths, isRoot: uid === 0, relay }
  const faults: string[] = []
  for (const way of waysOf(layout)) {
    const fault = way.missing.length > 0 ? `not installed: ${way.missing.join(", ")}` : await probe(way.sandbox)
    if (fault === undefined) return way.sandbox
    faults.push(`${way.name}: ${fault}`)
  }
  throw unavailable(faults)
}

interface Way {
  readonly name: string
  readonly missing: readonly (keyof SandboxTools)[]
  readonly sandbox: HarnessSandbox
}

function waysOf(layout: SandboxLayout): readonly Way[] {
  const { tools, isRoot } = layout
  const common = {
    ...(isRoot ? { owner: { uid: NOBODY, gid: NOBODY } } : {}),
    variables: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: SANDBOX_WORK, TMPDIR: "/tmp" },
  }
  const missing = (names: readonly (keyof SandboxTools)[]) => names.filter((name) => tools[name] === undefined)
  const bwrap = (isNestingOff: boolean): Way => ({
    name: `bubblewrap${isNestingOff ? " with --disable-userns" : ""}`,
    missing: missing(isRoot ? ["bwrap", "setpriv"] : ["bwrap"]),
    sandbox: { ...common, kind: "bwrap", wrap: (run) => bwrapCommand(run, layout, { isNestingOff }) },
  })
  return [
    ...(isRoot ? [] : [bwrap(true)]),
    bwrap(false),
    {
      name: "unshare",
      missing: missing(["unshare", "setpriv", "mount", "pivot_root"]),
      sandbox: { ...common, kind: "unshare", wrap: (run) => unshareCommand(run, layout) },
    },
  ]
}

/** Tests a sandbox with a command that writes to its folder. Returns why it failed; undefined if it worked. */
async function probe(sandbox: HarnessSandbox): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "assay-sandbox-"))
  const lines: string[] = []
  try {
    const command = ["/bin/sh", "-c", "echo >written && ! (echo >/usr/written) 2>/dev/null"] as const
    const run = await prepareSandbox(sandbox, { command, folder })
    const end = await runCommand({
      command: sandbox.wrap(run),
      folder,
      variables: {},
      handed: handVariables(sandbox.variables),
      timeLimitMs: PROBE_MS,
      signal: new AbortController().signal,
      onLine: (line) => void lines.push(line),
    })
    if (end.kind === "exited" && end.code === 0) return undefined
    const how = end.kind === "not-started" ? end.reason : end.kind === "exited" ? `exit code ${end.code}` : end.kind
    return lines.length === 0 ? how : lines.slice(-3).join("; ")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function checkFolders(folders: readonly string[]): void {
  const isReserved = (folder: string) =>
    PARTS.has(folder) || RESERVED.some((reserved) => folder === reserved || isBelow(folder, reserved))
  for (const folder of folders) {
    if (isReserved(folder)) {
      const advice = "is a place that the sandbox makes itself; name the folder that harnesses need"
      throw new AssayError("bad_settings", `ASSAY_HARNESS_FOLDERS: '${folder}' ${advice}.`)
    }
    if (!existsSync(folder)) {
      throw new AssayError(
        "bad_settings",
        `ASSAY_HARNESS_FOLDERS: '${folder}' does not exist; create it, or remove it from the setting.`,
      )
    }
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function unavailable(faults: readonly string[]): AssayError {
  const reasons = faults.map((fault) => `\n  - ${fault}`).join("")
  const advice =
    "Install bubblewrap and allow the server to create namespaces (in a container: the capability SYS_ADMIN, or user namespaces); " +
    "or set ASSAY_HARNESS_ISOLATION=trusted, which runs commands of users with all rights of the server's user."
  const message = `Harnesses can't be isolated from this machine:${reasons}\n${advice}`
  return new AssayError("bad_settings", message, { context: { faults } })
}
