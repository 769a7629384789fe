import { spawn } from "node:child_process"
import { AssayError, boundText, printableText } from "@assay/schemas"

export interface SlurmCall {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Content of stdin. Default: empty. */
  readonly input?: string
  /** Ends the command. Absent for a command whose effect would be unknown. */
  readonly signal?: AbortSignal | undefined
}

/** The output of a command of Slurm. */
export interface SlurmOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A controller that is busy makes commands wait and try again, for less than this time by default. */
const TIME_LIMIT_MS = 120_000
/** 100,000 lines of squeue. */
const MAX_OUTPUT = 32 * 1024 * 1024
const MAX_SHOWN = 1500

/**
 * Runs a command of Slurm until it ends.
 * @throws `executor_failed` if it is not installed, prints more than 32 MiB, or runs longer than 2 minutes; the reason of the signal
 */
export async function callSlurm(words: readonly [string, ...string[]], call: SlurmCall): Promise<SlurmOutput> {
  const [program, ...args] = words
  call.signal?.throwIfAborted()
  const tooLong = AbortSignal.timeout(TIME_LIMIT_MS)
  const signal = call.signal === undefined ? tooLong : AbortSignal.any([call.signal, tooLong])
  try {
    return await run(program, args, { ...call, signal })
  } catch (cause) {
    call.signal?.throwIfAborted()
    if (cause instanceof AssayError) throw cause
    throw new AssayError("executor_failed", reasonOf(program, cause, tooLong.aborted), { cause })
  }
}

function reasonOf(program: string, cause: unknown, isTooLong: boolean): string {
  if (isTooLong) {
    return `\`${program}\` did not end within ${TIME_LIMIT_MS / 1000} s. Ask Slurm with \`squeue --me\` what it has done, and try again.`
  }
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code !== "ENOENT") return `\`${program}\` could not be started: ${saidBy(String(cause))}`
  return `\`${program}\` was not found on PATH: run this on a machine with the commands of Slurm, such as a login node.`
}

function run(program: string, args: readonly string[], call: SlurmCall): Promise<SlurmOutput> {
  const { env, input = "", signal } = call
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, signal, killSignal: "SIGKILL", stdio: "pipe" })
    let size = 0
    const collect = (stream: NodeJS.ReadableStream): (() => string) => {
      const parts: Buffer[] = []
      stream.on("data", (part: Buffer) => {
        size += part.length
        if (size <= MAX_OUTPUT) parts.push(part)
        else child.kill("SIGKILL")
      })
      return () => Buffer.concat(parts).toString()
    }
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    child.once("error", reject)
    child.once("close", (exitCode) => {
      if (size > MAX_OUTPUT) reject(new AssayError("executor_failed", `\`${program}\` printed more than 32 MiB.`))
      else resolve({ exitCode: exitCode ?? -1, stdout: stdout(), stderr: stderr() })
    })
    // A command that ends before it has read its input reports why on stderr.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })
}

/** Returns the error of a command that failed, with what it said. */
export function slurmFailed(program: string, { exitCode, stderr, stdout }: SlurmOutput): AssayError {
  const said = saidBy(stderr.trim() || stdout.trim() || `it said nothing, and ended with exit code ${exitCode}`)
  return new AssayError("executor_failed", `\`${program}\` failed: ${said}`)
}

function saidBy(text: string): string {
  const lines = text.split("\n").map((line) => line.trim())
  return printableText(boundText(lines.filter((line) => line !== "").join("; "), MAX_SHOWN))
}
