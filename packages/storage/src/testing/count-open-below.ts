import { readdir, readlink } from "node:fs/promises"

/** How many files below `folder` this process holds open; undefined where the system does not tell (it does on Linux). */
export async function countOpenBelow(folder: string): Promise<number | undefined> {
  const handles = await readdir("/proc/self/fd").catch(() => undefined)
  if (handles === undefined) return undefined
  // A handle can be closed between the two looks.
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => "")))
  return targets.filter((target) => target.startsWith(folder)).length
}
