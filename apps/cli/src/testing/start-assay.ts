import { spawn, type ChildProcessByStdio } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url))

export interface AssayProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** When it has ended. The exit code is null where a signal ended it. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }>
}

export interface AssayOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command in a process of its own, as a shell would. */
export function startAssay(words: readonly string[], { cwd, env = {} }: AssayOptions): AssayProcess {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env
  // Given before the start, the cache also spares it the types of its first file.
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd,
    env: { PATH, ...cache, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([[exitCode], stdout, stderr]) => ({ exitCode, stdout, stderr })) }
}
