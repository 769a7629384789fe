import { readdir, readFile } from "node:fs/promises"
// Used to end processes. No state of this process is read.
import { kill } from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { isAlive, isRunning, RUN_VARIABLE, type AttemptRecord } from "./attempt-record.ts"

/** How long to wait until killed processes are gone. */
const GONE_MS = 10_000
const LOOK_MS = 20

/**
 * Ends a harness whose runner is gone: the group of its leader, and every process that has the attempt's id in its environment,
 * whatever its group is. Returns when none of them is left, or after 10 seconds.
 */
export async function endLeftHarness({ run, leader }: Pick<AttemptRecord, "run" | "leader">): Promise<void> {
  const marker = `${RUN_VARIABLE}=${run}`
  for (let waited = 0; waited < GONE_MS; waited += LOOK_MS) {
    const isLeading = leader !== null && (await isRunning(leader))
    if (isLeading) end(-leader.pid)
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
    // It has already ended.
  }
}

/** Finds the processes that were started with `variable` in their environment. Processes of other users are not visible. */
async function processesWith(variable: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => [])
  const found: number[] = []
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/environ`, "latin1").catch(() => "")
    if (text.split("\0").includes(variable) && (await isAlive(Number(name)))) found.push(Number(name))
  }
  return found
}
