import { spawn, type ChildProcess } from "node:child_process"
import { text } from "node:stream/consumers"

/** Imports at the start of every script. Node strips the types itself. */
const IMPORTS = `
  const { openLocalStorage } = await import(${JSON.stringify(new URL("../local/open.ts", import.meta.url))})
  const { parseFilePath } = await import(${JSON.stringify(new URL("../file-path.ts", import.meta.url))})
`

export interface StorageScript {
  readonly child: ChildProcess
  /** The standard output, after the process has ended. */
  readonly output: Promise<string>
}

/**
 * Runs JavaScript in a separate process in which `openLocalStorage` and `parseFilePath` are defined.
 * @param shell a shell command that runs `"$@"` under the limits of the test
 */
export function runStorageScript(script: string, args: readonly string[] = [], shell = 'exec "$@"'): StorageScript {
  const node = [process.execPath, "--input-type=module", "--eval", IMPORTS + script, "--", ...args]
  const child = spawn("sh", ["-c", shell, "sh", ...node], { stdio: ["ignore", "pipe", "inherit"] })
  return { child, output: text(child.stdout) }
}
