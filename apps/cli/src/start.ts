import { enableCompileCache } from "node:module"
import { availableParallelism, homedir } from "node:os"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import { isatty } from "node:tty"

/** A terminal, npm and a wrapper can forward the same Ctrl-C. Only a signal after this time, in milliseconds, is a second Ctrl-C. */
const SECOND_SIGNAL_MS = 1000
const INTERRUPTED = 130

/** Runs the command of the arguments of this process, and sets the exit code of the process. */
export async function start(): Promise<void> {
  // Enabled before any other module is loaded, so that all of them are compiled only once and not on every start.
  enableCompileCache()
  const { run } = await import("./run.ts")
  const { keepHeapSmall } = await import("./keep-heap-small.ts")
  const { env, stdout, stderr, platform } = process
  process.exitCode = await run(process.argv.slice(2), {
    env,
    cwd: process.cwd(),
    platform,
    home: homedir(),
    nodeVersion: process.versions.node,
    cores: availableParallelism(),
    // Most commands read nothing, and opening it takes a millisecond.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr,
    prompt: stderr,
    isTerminal: { stdin: isatty(0), stdout: isatty(1), stderr: isatty(2) },
    // Terminals with an unknown width report 0.
    columns: () => stderr.columns || stdout.columns || 80,
    now: Date.now,
    random: Math.random,
    // Loading the module takes longer than most commands take to load everything else.
    randomBytes: (size) => process.getBuiltinModule("node:crypto").randomBytes(size),
    sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }),
    keepHeapSmall,
    signal: watchSignals(),
  })
}

/** Returns a signal that aborts at the first Ctrl-C. The second one ends the process. */
function watchSignals(): AbortSignal {
  const controller = new AbortController()
  let interruptedAt: number | undefined
  function interrupt(): void {
    const now = performance.now()
    if (interruptedAt !== undefined && now - interruptedAt > SECOND_SIGNAL_MS) process.exit(INTERRUPTED)
    interruptedAt ??= now
    controller.abort()
  }
  process.on("SIGINT", interrupt)
  process.on("SIGTERM", interrupt)
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader stopped reading, as in `assay ls … | head`.
    if (error.code === "EPIPE") process.exit(0)
    throw error
  })
  return controller.signal
}
