import { randomBytes } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Pool } from "undici"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, type Bench } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { createFileset } from "../filesets/create-fileset.ts"
import { createFilesets } from "../filesets/create-filesets.ts"
import { scattered } from "../filesets/fileset-names.ts"
import { inParallel } from "../measure/in-parallel.ts"
import { inTurns } from "../measure/in-turns.ts"
import { outputOf } from "../measure/output-of.ts"
import { compareLoads } from "../measure/request-load.ts"

const COUNT = 10_000
const CREATED = 4000
const PARALLEL = 16
const SIZE = 4096

const pathOf = (turn: string, index: number) => `part-${index % 50}/${turn}-${index}.bin`

/** Returns a body that no other file has. */
function bodyOf(index: number, filling: Buffer): Buffer {
  const body = Buffer.from(filling)
  body.writeUInt32LE(index)
  return body
}

/** Returns the seconds to write distinct files, each under a new name. */
async function putFiles(server: string, base: string, turn: string): Promise<number> {
  const pool = new Pool(server, { connections: PARALLEL })
  const filling = randomBytes(SIZE)
  const seconds = await inParallel(COUNT, PARALLEL, async (index) => {
    const path = `${base}/${pathOf(turn, index)}`
    const answer = await pool.request({ method: "PUT", path, body: bodyOf(index, filling) })
    if (answer.statusCode !== 200) throw new Error(`PUT ${path}: ${answer.statusCode} ${await answer.body.text()}`)
    await answer.body.dump()
  })
  await pool.close()
  return seconds
}

async function writeFiles(folder: string): Promise<void> {
  const filling = randomBytes(SIZE)
  for (let index = 0; index < 50; index += 1) await mkdir(join(folder, `part-${index}`), { recursive: true })
  for (let index = 0; index < COUNT; index += 1) {
    await writeFile(join(folder, pathOf("turn-1", index)), bodyOf(index, filling))
  }
}

export const smallFiles: Bench = {
  name: "small",
  async run({ folder, part }) {
    const server = await startAssay(join(folder, "data"))
    const fileset = await createFileset(server.url, "small")
    const { pathname } = new URL(fileset)
    try {
      await part("PUT", async () => {
        const bare = await startChildServer(bareScript("small-uploads"), [join(folder, "bare")])
        let turns = 0
        const [ours, theirs] = await inTurns([
          () => putFiles(server.url, `${pathname}/-`, `turn-${(turns += 1)}`),
          () => putFiles(bare.url, "", `turn-${turns}`),
        ])
        await bare.stop()
        const does = "10,000 distinct files, fsynced, to a node:http handler that stores and digests them as safely."
        const detail = `${Math.round(COUNT / ours)}/s to ${Math.round(COUNT / theirs)}/s`
        return [atLeast({ work: "PUT of 4 KiB files, 16 in parallel", does }, theirs / ours, 0.65, detail)]
      })
      await part("GET", async () => {
        await writeFiles(join(folder, "files"))
        const bare = await startChildServer(bareScript("files"), [join(folder, "files")])
        const load = (url: string, base: string) => ({
          url,
          connections: PARALLEL,
          pathOf: (index: number) => `${base}/${pathOf("turn-1", Math.floor(scattered(index) * COUNT))}`,
        })
        const [ours, theirs] = await compareLoads([load(server.url, `${pathname}/-`), load(bare.url, "")])
        await bare.stop()
        const does = "A random one of 10,000 distinct files each time, to a node:http handler that reads files whole."
        const detail = `${Math.round(ours.rate)}/s to ${Math.round(theirs.rate)}/s`
        return [atLeast({ work: "GET of 4 KiB files, 16 in parallel", does }, ours.rate / theirs.rate, 0.5, detail)]
      })
      await part("create", async () => {
        let turns = 0
        const [ours, theirs] = await inTurns([
          () => createFilesets(server.url, `turn-${(turns += 1)}`, CREATED).then(({ perSecond }) => perSecond),
          async () => Number(await outputOf(bareScript("sqlite-inserts"), [join(folder, `bare-${turns}.db`), "3"])),
        ])
        const does =
          "POST by 8 clients, to one durable SQLite insert after the other into a table without other indexes."
        const detail = `${Math.round(ours)}/s to ${Math.round(theirs)}/s`
        return [atLeast({ work: "filesets created", does }, ours / theirs, 1, detail)]
      })
    } finally {
      await server.stop()
    }
  },
}
