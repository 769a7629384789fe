import { execFile } from "node:child_process"
import process from "node:process"
import { promisify } from "node:util"

/** What a script prints that runs in a process of its own; what it says on stderr goes to ours where it fails. */
export async function outputOf(script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 16_777_216 })
  return stdout
}
