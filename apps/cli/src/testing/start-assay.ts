import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../../dist/bundle/main.js", import.meta.url))

export interface AssayProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** Resolves when the process has ended. The exit code is null if a signal ended it. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }>
}

export interface AssayOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Content of stdin. Default: empty. */
  readonly input?: Uint8Array
}

/** Starts a command of the built program in a new process, as a shell does. */
export function startAssay(words: readonly string[], { cwd, env = {}, input }: AssayOptions): AssayProcess {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env
  // As a variable, the cache also covers the first file of the process.
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd,
    env: { PATH, ...cache, ...env },
  })
  child.stdin.end(input)
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([[exitCode], stdout, stderr]) => ({ exitCode, stdout, stderr })) }
}
