import { readdir, readFile } from "node:fs/promises"
// Ends processes; nothing of this process is read.
import { kill } from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { readProcessRecord, RUN_VARIABLE, startTimeOf } from "./process-record.ts"

/** How long a process that was killed is waited for. */
const GONE_MS = 10_000
const LOOK_MS = 20

/**
 * Ends the harness of an attempt whose runner is gone: the group of its leader, and every process that carries the
 * attempt's name in its environment, whatever group it went to. Returns once none of them is left, or after ten seconds.
 */
export async function endLeftHarness(folder: string): Promise<void> {
  const record = await readProcessRecord(folder)
  if (record === undefined) return
  const { pid, started_at, run } = record
  const marker = `${RUN_VARIABLE}=${run}`
  for (let waited = 0; waited < GONE_MS; waited += LOOK_MS) {
    const isLeading = started_at !== null && (await startTimeOf(pid)) === started_at && !(await isDead(pid))
    if (isLeading) end(-pid)
    const marked = await processesWith(marker)
    for (const one of marked) end(one)
    if (!isLeading && marked.length === 0) return
    await pause(LOOK_MS)
  }
}

function end(target: number): void {
  try {
    kill(target, "SIGKILL")
  } catch {
    // It has ended already.
  }
}

/** Whether a process has ended, and only its parent has not asked yet how. */
async function isDead(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") X")
  return /^[ZXx]/.test(text.slice(text.lastIndexOf(")") + 2))
}

/** Processes whose environment holds `variable` as it was when they started. Those of other users are not seen. */
async function processesWith(variable: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => [])
  const found: number[] = []
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "")
    if (text.split("\0").includes(variable) && !(await isDead(Number(name)))) found.push(Number(name))
  }
  return found
}
