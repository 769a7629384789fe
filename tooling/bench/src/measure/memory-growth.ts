import type { ChildServer } from "../child-server.ts"

/** Returns the highest growth of the resident memory of `server` while `work` runs, in bytes. */
export async function memoryGrowth(server: ChildServer, work: () => Promise<unknown>): Promise<number> {
  const before = await server.residentBytes()
  let peak = before
  const watch = setInterval(() => void server.residentBytes().then((bytes) => (peak = Math.max(peak, bytes))), 50)
  try {
    await work()
  } finally {
    clearInterval(watch)
  }
  return peak - before
}
