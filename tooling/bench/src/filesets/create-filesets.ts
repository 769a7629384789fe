import { Pool } from "undici"
import { inParallel } from "../measure/in-parallel.ts"

/** How fast filesets were created. */
export interface CreationTimes {
  readonly perSecond: number
  /** The slowest one of a hundred, in milliseconds. */
  readonly p99Ms: number
}

/** Creates filesets over the API, eight at a time. */
export async function createFilesets(server: string, label: string, count: number): Promise<CreationTimes> {
  const writers = new Pool(server, { connections: 8 })
  const times: number[] = []
  const seconds = await inParallel(count, 8, async (index) => {
    const begun = performance.now()
    const answer = await writers.request({
      method: "POST",
      path: "/apis/files/v2/workspaces/default/filesets",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: `made-${label}-${index}`, purpose: "dataset" }),
    })
    if (answer.statusCode !== 200) throw new Error(`POST: ${answer.statusCode} ${await answer.body.text()}`)
    await answer.body.dump()
    times.push(performance.now() - begun)
  })
  await writers.close()
  const sorted = times.toSorted((a, b) => a - b)
  return { perSecond: count / seconds, p99Ms: sorted[Math.floor(0.99 * sorted.length)] ?? 0 }
}
