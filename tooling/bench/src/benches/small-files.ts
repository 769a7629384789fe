import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Pool } from "undici"
import { startAssay } from "../assay-server.ts"
import { atLeast, type Bench } from "../bench.ts"
import { createFileset } from "../create-fileset.ts"
import { inParallel } from "../in-parallel.ts"
import { compareLoads } from "../load.ts"

const COUNT = 10_000
const PARALLEL = 16

export const smallFiles: Bench = {
  name: "small",
  async run({ folder }) {
    const server = await startAssay(join(folder, "data"))
    const fileset = await createFileset(server.url, "small")
    const { pathname } = new URL(fileset)
    const pool = new Pool(server.url, { connections: PARALLEL })
    const body = randomBytes(4096)
    const seconds = await inParallel(COUNT, PARALLEL, async (index) => {
      const path = `${pathname}/-/part-${index % 50}/${index}.bin`
      const answer = await pool.request({ method: "PUT", path, body })
      if (answer.statusCode !== 200) throw new Error(`PUT ${path}: ${answer.statusCode} ${await answer.body.text()}`)
      await answer.body.dump()
    })
    await pool.close()
    const [reads = 0] = await compareLoads([{ url: `${fileset}/-/part-7/7.bin`, connections: PARALLEL }])
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
      atLeast("GET of 4 KiB files a second, 16 in parallel", reads, 5000, "one hot file"),
      atLeast("filesets created a second, 8 clients", 8000 / created, 2000, "durable"),
    ]
  },
}
