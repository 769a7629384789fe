import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Pool } from "undici"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, forComparison, type Bench } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { createFileset } from "../create-fileset.ts"
import { inParallel } from "../in-parallel.ts"
import { inTurns } from "../in-turns.ts"
import { compareLoads } from "../load.ts"

const COUNT = 10_000
const PARALLEL = 16

/** Returns the seconds to write the files, each under a new name. */
async function putFiles(server: string, base: string): Promise<number> {
  const pool = new Pool(server, { connections: PARALLEL })
  const body = randomBytes(4096)
  const turn = randomBytes(4).toString("hex")
  const seconds = await inParallel(COUNT, PARALLEL, async (index) => {
    const path = `${base}/part-${index % 50}/${turn}-${index}.bin`
    const answer = await pool.request({ method: "PUT", path, body })
    if (answer.statusCode !== 200) throw new Error(`PUT ${path}: ${answer.statusCode} ${await answer.body.text()}`)
    await answer.body.dump()
  })
  await pool.close()
  return seconds
}

export const smallFiles: Bench = {
  name: "small",
  async run({ folder }) {
    const server = await startAssay(join(folder, "data"))
    const fileset = await createFileset(server.url, "small")
    const { pathname } = new URL(fileset)
    const bare = await startChildServer(bareScript("small-uploads"), [join(folder, "bare")])
    const [seconds = 0, bareSeconds = 0] = await inTurns([
      () => putFiles(server.url, `${pathname}/-`),
      () => putFiles(bare.url, ""),
    ])
    await bare.stop()
    await (await fetch(`${fileset}/-/hot.bin`, { method: "PUT", body: randomBytes(4096) })).arrayBuffer()
    const [reads = 0] = await compareLoads([{ url: `${fileset}/-/hot.bin`, connections: PARALLEL }])
    const writers = new Pool(server.url, { connections: 8 })
    const created = await inParallel(8000, 8, async (index) => {
      const answer = await writers.request({
        method: "POST",
        path: "/apis/files/v2/workspaces/default/filesets",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: `made-${index}`, purpose: "dataset" }),
      })
      if (answer.statusCode !== 200) throw new Error(`POST: ${answer.statusCode} ${await answer.body.text()}`)
      await answer.body.dump()
    })
    await writers.close()
    await server.stop()
    return [
      atLeast("PUT of 4 KiB files a second, 16 in parallel", COUNT / seconds, 1500, `${COUNT} files, fsynced`),
      forComparison(
        "the same, against a bare node:http handler that keeps them as safely",
        `${(bareSeconds / seconds).toFixed(2)} (bare: ${Math.round(COUNT / bareSeconds)}/s)`,
      ),
      atLeast("GET of 4 KiB files a second, 16 in parallel", reads, 5000, "one hot file"),
      atLeast("filesets created a second, 8 clients", 8000 / created, 2000, "durable"),
    ]
  },
}
