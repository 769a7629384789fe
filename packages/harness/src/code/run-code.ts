import { chown, writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { AssayError, isAssayError } from "@assay/schemas"
import pLimit from "p-limit"
import { removeTree } from "../harness-attempts.ts"
import { joinLimits, watchLimits } from "../limits/harness-limits.ts"
import { runCommand, type CommandEnd } from "../run-command.ts"
import { handVariables, type HarnessSandbox } from "../sandbox/harness-sandbox.ts"
import { prepareSandbox } from "../sandbox/sandbox-layout.ts"
import type { HarnessPorts } from "../harness-ports.ts"
import { BEGIN, driverSource, FILES } from "./python-driver.ts"

/** A program in Python. */
interface Program {
  readonly source: string
  readonly timeLimitMs: number
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly kind: "finished" }
  /** `error` is its last line of standard error. */
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "too-slow" }
  | { readonly kind: "over-limit"; readonly what: string }

/** Runs a program. @throws `harness_failed` if it could not be started; the reason of `signal` */
export type RunProgram = (program: Program, signal: AbortSignal) => Promise<ProgramEnd>

/** The dependencies of programs. */
export interface CodePorts extends Pick<HarnessPorts, "workFolder" | "newId" | "harnessLimits"> {
  readonly sandbox: HarnessSandbox
  /** Returns milliseconds since any moment. */
  readonly elapsed: () => number
}

/** Limits of a program and all its processes. */
const LIMITS = { memory: 1024 ** 3, processes: 64, disk: 256 * 1024 ** 2 } as const
const MAX_FILE_BYTES = 64 * 1024 ** 2
const MAX_OUTPUT = 1024 ** 2
const MAX_ERROR = 300

/**
 * Creates the function that runs programs of models in a sandbox, each in a folder of its own, without the network and without any variable of
 * this process. At most one program for each processor runs at a time, so that the time limits of programs do not depend on how
 * many rows are scored.
 */
export function createProgramRunner(ports: CodePorts): RunProgram {
  const inTurn = pLimit(availableParallelism())
  return (program, signal) => inTurn(() => startUntilBegun(program, ports, signal))
}

/** How often a program is started that the machine has no process for: other programs of the same user can have taken all. */
const STARTS = 4
/** Before the second start; doubled before each further one. */
const FIRST_WAIT_MS = 250

async function startUntilBegun(program: Program, ports: CodePorts, signal: AbortSignal): Promise<ProgramEnd> {
  for (let wait = FIRST_WAIT_MS, left = STARTS - 1; ; wait *= 2, left -= 1) {
    try {
      return await runProgram(program, ports, signal)
    } catch (error) {
      if (left === 0 || !isAssayError(error) || error.code !== "harness_failed") throw error
      await sleep(wait, undefined, { signal })
    }
  }
}

async function runProgram(program: Program, ports: CodePorts, signal: AbortSignal): Promise<ProgramEnd> {
  signal.throwIfAborted()
  const { sandbox, elapsed, workFolder, newId } = ports
  const folder = join(workFolder, newId("program"))
  const mark = newId("mark")
  const limits = joinLimits(LIMITS, ports.harnessLimits)
  try {
    const run = await prepareSandbox(sandbox, { command: ["python3", "-I", FILES.driver], folder })
    const driver = driverSource({ memory: limits.memory ?? LIMITS.memory, file: MAX_FILE_BYTES })
    for (const [name, text] of [
      [FILES.driver, driver],
      [FILES.program, program.source],
      [FILES.mark, mark],
    ] as const) {
      const path = join(run.work, name)
      await writeFile(path, text, { mode: 0o600 })
      if (sandbox.owner !== undefined) await chown(path, sandbox.owner.uid, sandbox.owner.gid)
    }
    const output = readOutput(mark)
    const end = await runCommand({
      command: sandbox.wrap(run),
      folder: run.work,
      variables: {},
      handed: handVariables({ ...sandbox.variables, LANG: "C.UTF-8" }),
      timeLimitMs: program.timeLimitMs,
      graceMs: 0,
      signal,
      onLine: output.add,
      watch(leader, onOver) {
        output.limit(() => onOver(`it wrote more than ${MAX_OUTPUT} characters`))
        return watchLimits(leader, { limits, folders: [run.work, run.temporary], now: elapsed, onOver })
      },
    })
    if (end.kind === "aborted") signal.throwIfAborted()
    return endOf(end, output)
  } finally {
    await removeTree(folder)
  }
}

interface ProgramOutput {
  readonly add: (line: string, stream: "stdout" | "stderr") => void
  /** Sets what is called once if the program writes too much. */
  readonly limit: (onOver: () => void) => void
  readonly hasBegun: () => boolean
  readonly hasFinished: () => boolean
  readonly lastError: () => string
}

/** Reads the output of a program. Nothing of it is kept but its last line of standard error. */
function readOutput(mark: string): ProgramOutput {
  let size = 0
  let begun = false
  let finished = false
  let error = ""
  let over: (() => void) | undefined
  return {
    add(line, stream) {
      size += line.length
      if (size > MAX_OUTPUT) over?.()
      if (stream === "stderr") error = line.slice(0, MAX_ERROR)
      else if (begun) finished ||= line === mark
      else begun = line === `${BEGIN} ${mark}`
    },
    limit: (onOver) => void (over = onOver),
    hasBegun: () => begun,
    hasFinished: () => finished,
    lastError: () => error,
  }
}

/** Exit code of a process that SIGKILL ended, which the kernel does if memory runs out. */
const SIGKILL = 137

function endOf(end: CommandEnd, output: ProgramOutput): ProgramEnd {
  if (end.kind === "too-slow") return { kind: "too-slow" }
  if (end.kind === "over-limit") return { kind: "over-limit", what: end.what }
  if (!output.hasBegun()) {
    const how = end.kind === "not-started" ? end.reason : output.lastError() || "no output"
    throw new AssayError("harness_failed", `python3 could not be started in the sandbox: ${how}.`)
  }
  if (output.hasFinished()) return { kind: "finished" }
  if (end.kind === "killed" || (end.kind === "exited" && end.code === SIGKILL)) {
    return { kind: "over-limit", what: "it was killed" }
  }
  return { kind: "failed", error: output.lastError() || "it ended before its tests" }
}
