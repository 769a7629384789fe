import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"

/** scontrol waits for a controller, which may have ended. */
const TIME_LIMIT_MS = 3000

/** Ends every process of the jobs of a node at once, as a power failure does: those of tasks, and those that watch over them. */
export async function killNodeProcesses(scontrol: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { stdout } = await promisify(execFile)(scontrol, ["listpids"], {
    env: { ...process.env, ...env },
    timeout: TIME_LIMIT_MS,
  })
  const tasks = stdout.split("\n").flatMap((line) => /^\d+(?=\s)/.exec(line)?.[0] ?? [])
  const watchers = new Set<string>()
  for (const task of tasks) {
    const parent = await parentOf(task)
    if (parent !== undefined && (await nameOf(parent)) === "slurmstepd") watchers.add(parent)
  }
  // The watchers first: they would report the end of their task.
  for (const pid of [...watchers, ...tasks]) kill(Number(pid))
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

async function parentOf(pid: string): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  return /^PPid:\s*(\d+)$/m.exec(status)?.[1]
}

async function nameOf(pid: string): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim()
}
