import { readdir, readFile, readlink } from "node:fs/promises"

/**
 * Ends every process of the tasks of a node at once, as a power failure does: those that watch over a task (`slurmstepd`), and the task. A watcher
 * outlives the daemon of the node, and even its controller.
 * @param spool the folder in which the watchers listen
 */
export async function killNodeProcesses(spool: string): Promise<void> {
  const children = await processesByParent()
  // The watchers first: they would report the end of their task.
  const doomed = await findWatchers(spool)
  for (const pid of doomed) doomed.push(...(children.get(pid) ?? []))
  for (const pid of doomed) kill(Number(pid))
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

async function allProcesses(): Promise<readonly string[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
}

async function processesByParent(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found: { readonly pid: string; readonly parent: string }[] = []
  for (const pid of await allProcesses()) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
    found.push({ pid, parent: /^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? "" })
  }
  return new Map(
    [...Map.groupBy(found, ({ parent }) => parent)].map(([parent, all]) => [parent, all.map(({ pid }) => pid)]),
  )
}

/** A watcher shows neither its variables nor its folder. It has a socket in the spool folder. */
async function findWatchers(spool: string): Promise<string[]> {
  const sockets = await readFile("/proc/net/unix", "utf8")
  const lines = sockets.split("\n").flatMap((line) => {
    const [, inode = "", path = ""] = /\s(\d+) (\/.*)$/.exec(line) ?? []
    return path.startsWith(`${spool}/`) ? [`socket:[${inode}]`] : []
  })
  const own = new Set(lines)
  const found: string[] = []
  for (const pid of await allProcesses()) {
    if ((await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim() !== "slurmstepd") continue
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => "")))
    if (links.some((link) => own.has(link))) found.push(pid)
  }
  return found
}
