import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url))

export interface AssayProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** When it has ended. The exit code is null where a signal ended it. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }>
}

export interface AssayOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** What stdin holds. Default: nothing. */
  readonly input?: Uint8Array
}

/** Runs a command in a process of its own, as a shell would. */
export function startAssay(words: readonly string[], { cwd, env = {}, input }: AssayOptions): AssayProcess {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd,
    env: { PATH, ...env },
  })
  child.stdin.end(input)
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([[exitCode], stdout, stderr]) => ({ exitCode, stdout, stderr })) }
}
