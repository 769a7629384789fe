import { randomBytes } from "node:crypto"
import { PassThrough, Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { createHttpFetch } from "@assay/http/node"
import type { Context } from "../context.ts"
import type { ExitCode } from "../exit-code.ts"
import { run } from "../run.ts"

export interface RunOptions extends Partial<Omit<Context, "stdin" | "stdout" | "stderr" | "prompt">> {
  /** Content of stdin. */
  readonly input?: string
  /** Whether stdout and stderr report that they support colours, as a terminal does. Default: false. */
  readonly colours?: boolean
}

export interface RunResult {
  readonly exitCode: ExitCode
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command in this process without pauses, and returns what it printed. */
export async function runCommand(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { colours = false, ...given } = options
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  for (const stream of [stdout, stderr]) Object.assign(stream, { hasColors: () => colours })
  const written = Promise.all([text(stdout), text(stderr)])
  const exitCode = await runWith(words, { stdout, stderr }, given)
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { exitCode, stdout: out, stderr: err }
}

/** Runs one command in this process that writes to the given streams. */
export function runWith(
  words: readonly string[],
  streams: Pick<Context, "stdout" | "stderr">,
  { input = "", ...given }: Omit<RunOptions, "colours"> = {},
): Promise<ExitCode> {
  return run(words, {
    env: {},
    cwd: "/",
    platform: process.platform,
    home: "/nonexistent",
    nodeVersion: process.versions.node,
    cores: 2,
    isTerminal: { stdin: false, stdout: false, stderr: false },
    columns: () => 100,
    now: Date.now,
    random: () => 0,
    randomBytes,
    sleep: async (_milliseconds, signal) => signal?.throwIfAborted(),
    keepHeapSmall: () => {},
    fetch: createHttpFetch({ idleTimeout: 10_000 }),
    signal: new AbortController().signal,
    ...given,
    stdin: Readable.from([input]),
    prompt: streams.stderr,
    ...streams,
  })
}
