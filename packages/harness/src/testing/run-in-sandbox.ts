import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stdin, stdout } from "node:process"
import { createInterface } from "node:readline"
import { type HarnessLimits, messageOf } from "@assay/schemas"
import { watchLimits } from "../limits/harness-limits.ts"
import { runCommand, type CommandEnd } from "../run-command.ts"
import { handVariables } from "../sandbox/harness-sandbox.ts"
import { openHarnessSandbox, type OpenSandboxOptions } from "../sandbox/open-harness-sandbox.ts"
import { prepareSandbox } from "../sandbox/sandbox-layout.ts"

/** The task, as one line of JSON on standard input. */
export interface SandboxTask {
  readonly options: OpenSandboxOptions
  readonly command: readonly [string, ...string[]]
  readonly limits?: HarnessLimits
  readonly variables?: Readonly<Record<string, string>>
  /** The folder in which the folder of the command is created. Default: that of the system. */
  readonly parent?: string
}

/** The outcome, as one line of JSON on standard output. */
export type SandboxReport =
  | { readonly unavailable: string }
  | { readonly end: CommandEnd; readonly lines: readonly string[]; readonly kind: string }

/** Runs a command in a sandbox, as the user of this process. */
async function runInSandbox(
  { options, command, limits = {}, variables, parent }: SandboxTask,
  open: typeof openHarnessSandbox,
): Promise<SandboxReport> {
  const folder = await mkdtemp(join(parent ?? tmpdir(), "run's folder-"))
  try {
    const sandbox = await open(options)
    await mkdir(folder, { recursive: true })
    const run = await prepareSandbox(sandbox, { command, folder })
    const lines: string[] = []
    const end = await runCommand({
      command: sandbox.wrap(run),
      folder: run.work,
      variables: {},
      handed: handVariables({ ...sandbox.variables, MODE: "quick", ...variables }),
      timeLimitMs: 60_000,
      watch: (leader, onOver) =>
        watchLimits(leader, { limits, folders: [run.work, run.temporary], now: Date.now, onOver }),
      signal: new AbortController().signal,
      onLine: (line) => void lines.push(line),
    })
    return { end, lines, kind: sandbox.kind }
  } catch (error) {
    return { unavailable: messageOf(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens a sandbox once for all tasks with the same options, because each opening runs a test command. */
function createOpener(): typeof openHarnessSandbox {
  const opened = new Map<string, ReturnType<typeof openHarnessSandbox>>()
  return (options) => {
    const key = JSON.stringify(options)
    const sandbox = opened.get(key) ?? openHarnessSandbox(options)
    opened.set(key, sandbox)
    return sandbox
  }
}

// Runs as a program, until its standard input ends. An import of its types runs nothing.
if (import.meta.main) {
  const open = createOpener()
  for await (const line of createInterface({ input: stdin })) {
    stdout.write(`${JSON.stringify(await runInSandbox(JSON.parse(line), open))}\n`)
  }
}
