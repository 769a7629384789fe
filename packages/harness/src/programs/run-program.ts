import { chown, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Writable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { AssayError, type HarnessLimits, isAssayError } from "@assay/schemas"
import { createFolder, isFilePath } from "@assay/storage"
import { removeTree } from "../harness-attempts.ts"
import type { HarnessPorts } from "../harness-ports.ts"
import { joinLimits, watchLimits } from "../limits/harness-limits.ts"
import { type CommandEnd, runCommand } from "../run-command.ts"
import { handVariables, type HarnessSandbox, type SandboxedRun } from "../sandbox/harness-sandbox.ts"
import { prepareSandbox } from "../sandbox/sandbox-layout.ts"

/** A program of an evaluation file. */
export interface Program {
  readonly command: readonly string[]
  /** Texts by their paths in its working folder. */
  readonly files: Readonly<Record<string, string>>
  /** Its variables besides those of the sandbox. */
  readonly environment: Readonly<Record<string, string>>
}

export interface ProgramPorts extends Pick<HarnessPorts, "workFolder" | "newId" | "harnessLimits" | "inference"> {
  readonly sandbox: HarnessSandbox
  /** Returns milliseconds since any moment. */
  readonly elapsed: () => number
}

export interface ProgramOptions {
  readonly timeLimitMs: number
  readonly signal: AbortSignal
  readonly onInput: (input: Writable) => void
  /** @returns why the program is ended; undefined to continue */
  readonly onOutput: (bytes: Uint8Array) => string | undefined
  /** The Unix socket of an endpoint that the program may reach. Absent: it has no network. */
  readonly endpointSocket?: string | undefined
  /** Default: those of a tool. Those of the operator hold too. */
  readonly limits?: HarnessLimits | undefined
  /** Gets the working folder of a program that ended well. Its files may be links and pipes. */
  readonly onEnded?: (folder: string) => Promise<void>
}

/** How a program ended: with exit code 0, or why not. */
export type ProgramEnd =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly isTooSlow: boolean }

/** Limits of a program and all its processes. */
const LIMITS = { memory: 1024 ** 3, processes: 64, disk: 256 * 1024 ** 2 } as const
/** Characters of an error that are shown. */
const MAX_ERROR = 300
/** How often a program is started that the machine has no process for. */
const STARTS = 4
/** Before the second start; doubled before each further one. */
const FIRST_WAIT_MS = 250

/**
 * Runs a program in the sandbox until it ends, in a folder of its own with its files, without the network and without any variable of this process.
 * @throws `harness_failed` if the sandbox could not be started; `invalid_request` for a path of a file that is not below the folder; the reason
 *   of the signal
 */
export async function runProgram(program: Program, ports: ProgramPorts, options: ProgramOptions): Promise<ProgramEnd> {
  for (let wait = FIRST_WAIT_MS, left = STARTS - 1; ; wait *= 2, left -= 1) {
    try {
      return await startProgram(program, ports, options)
    } catch (error) {
      if (left === 0 || !isAssayError(error, "harness_failed")) throw error
      await sleep(wait, undefined, { signal: options.signal })
    }
  }
}

/** Says that the program begins, so that a failure before is one of the sandbox. */
const BEGIN = 'echo "$0" >&2; exec "$@"'

async function startProgram(program: Program, ports: ProgramPorts, options: ProgramOptions): Promise<ProgramEnd> {
  const { signal, endpointSocket } = options
  signal.throwIfAborted()
  const { sandbox, workFolder, newId, elapsed } = ports
  const folder = join(workFolder, newId("program"))
  const mark = newId("mark")
  const limits = joinLimits(options.limits ?? LIMITS, ports.harnessLimits)
  const errors = readErrors(mark)
  try {
    const command = ["/bin/sh", "-c", BEGIN, mark, ...program.command] as const
    const run = await prepareSandbox(sandbox, { command, folder, endpointSocket })
    await writeFiles(program.files, run, sandbox)
    const end = await runCommand({
      command: sandbox.wrap(run),
      folder: run.work,
      variables: {},
      handed: handVariables({ ...sandbox.variables, LANG: "C.UTF-8", ...program.environment }),
      timeLimitMs: options.timeLimitMs,
      graceMs: 0,
      signal,
      onInput: options.onInput,
      onOutput: (bytes) => errors.endFor(options.onOutput(bytes)),
      onLine: (line) => errors.add(line),
      watch(leader, onOver) {
        errors.onEnd(onOver)
        return watchLimits(leader, { limits, folders: [run.work, run.temporary], now: elapsed, onOver })
      },
    })
    if (end.kind === "aborted") signal.throwIfAborted()
    if (errors.hasBegun()) {
      const ended = endOf(end, errors.last(), options.timeLimitMs)
      if (ended.ok) await options.onEnded?.(run.work)
      return ended
    }
    const how = end.kind === "not-started" ? end.reason : errors.last() || end.kind
    throw new AssayError("harness_failed", `A program could not be started in the sandbox: ${how}.`)
  } finally {
    await removeTree(folder)
  }
}

export async function writeFiles(
  files: Program["files"],
  { work }: SandboxedRun,
  { owner }: Pick<HarnessSandbox, "owner">,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    if (!isFilePath(path)) {
      throw new AssayError("invalid_request", `'${path.slice(0, 100)}' is not a path of a file of a program.`)
    }
    const own = async (made: string) => (owner === undefined ? undefined : chown(made, owner.uid, owner.gid))
    const above = path.split("/").slice(0, -1)
    for (const [at] of above.entries()) {
      const parent = join(work, ...above.slice(0, at + 1))
      await createFolder(parent, { mode: 0o700, durable: false })
      await own(parent)
    }
    const file = join(work, path)
    await createFolder(dirname(file), { durable: false })
    await writeFile(file, text, { mode: 0o700 })
    await own(file)
  }
}

/** A line that names an error. Other programs than Python write more lines after it. */
const ERROR = /^\s*(?:[\w.]*(?:Error|Exception)|error|fatal)\b.*:/

/** Reads standard error: whether the program has begun, and its last line, or the last one that names an error. */
export function readErrors(mark: string) {
  let begun = false
  let last = ""
  let named = ""
  let end: ((why: string) => void) | undefined
  return {
    add(line: string): void {
      if (!begun && line === mark) begun = true
      else last = line.slice(0, MAX_ERROR)
      if (ERROR.test(last)) named = last.trim()
    },
    onEnd: (onOver: (why: string) => void): void => void (end = onOver),
    endFor: (why: string | undefined): void => (why === undefined ? undefined : end?.(why)),
    hasBegun: () => begun,
    last: () => named || last,
  }
}

export function endOf(end: CommandEnd, error: string, timeLimitMs: number): ProgramEnd {
  const said = error === "" ? "" : `: ${error}`
  const failed = (why: string, isTooSlow = false): ProgramEnd => ({ ok: false, why, isTooSlow })
  switch (end.kind) {
    case "exited":
      return end.code === 0 ? { ok: true } : failed(`it ended with exit code ${end.code}${said}`)
    case "too-slow":
      return failed(`it did not end within ${timeLimitMs / 1000} s`, true)
    case "over-limit":
      return failed(end.what)
    case "killed":
      return failed(`it was ended by ${end.by}${said}`)
    case "aborted":
    case "not-started":
    default:
      return failed("it was ended")
  }
}
