import { execFile } from "node:child_process"
import process from "node:process"
import { promisify } from "node:util"

/** Runs a script in a separate process and returns what it prints. If it fails, its stderr goes to ours. */
export async function outputOf(script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 16_777_216 })
  return stdout
}
