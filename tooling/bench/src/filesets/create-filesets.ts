import { Pool } from "undici"
import { inParallel } from "../measure/in-parallel.ts"

/** Creates filesets over the API, eight at a time, and returns how many were created per second. */
export async function createFilesets(server: string, label: string, count: number): Promise<number> {
  const writers = new Pool(server, { connections: 8 })
  const seconds = await inParallel(count, 8, async (index) => {
    const answer = await writers.request({
      method: "POST",
      path: "/apis/files/v2/workspaces/default/filesets",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: `made-${label}-${index}`, purpose: "dataset" }),
    })
    if (answer.statusCode !== 200) throw new Error(`POST: ${answer.statusCode} ${await answer.body.text()}`)
    await answer.body.dump()
  })
  await writers.close()
  return count / seconds
}
