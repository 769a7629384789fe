import { readdir, readlink } from "node:fs/promises"

/**
 * Returns how many files below `folder` this process holds open, or undefined if the system does not show it (Linux
 * does).
 */
export async function countOpenBelow(folder: string): Promise<number | undefined> {
  const handles = await readdir("/proc/self/fd").catch(() => undefined)
  if (handles === undefined) return undefined
  // A handle can be closed between the two calls.
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => "")))
  return targets.filter((target) => target.startsWith(folder)).length
}
