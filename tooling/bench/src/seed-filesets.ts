import { existsSync } from "node:fs"
import { mkdir, rename } from "node:fs/promises"
import { dirname } from "node:path"
import { inParallel } from "./in-parallel.ts"
import { startAssay } from "./assay-server.ts"

const PURPOSES = ["dataset", "generic", "model"]
const WORDS = ["review", "ticket", "invoice", "speech", "image", "sensor", "ledger", "novel", "chess", "protein"]

/** Returns a name in which three given letters occur sometimes. */
function nameOf(index: number): string {
  return `${WORDS[index % WORDS.length]}-${WORDS[Math.floor(index / 10) % WORDS.length]}-${index.toString(36)}`
}

/** Returns a data folder with `count` filesets in the workspace `default`. It is created once over the API and kept. */
export async function seedFilesets(folder: string, count: number, log: (line: string) => void): Promise<void> {
  if (existsSync(folder)) return
  log(`making ${count} filesets in ${folder}`)
  await mkdir(dirname(folder), { recursive: true })
  const server = await startAssay(`${folder}.making`)
  const url = `${server.url}/apis/files/v2/workspaces/default/filesets`
  await inParallel(count, 16, async (index) => {
    const body = JSON.stringify({
      name: nameOf(index),
      description: `Seeded fileset number ${index}`,
      purpose: PURPOSES[index % PURPOSES.length],
      custom_fields: { team: `team-${index % 7}`, priority: index % 5 },
    })
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  })
  await server.stop()
  await rename(`${folder}.making`, folder)
}
