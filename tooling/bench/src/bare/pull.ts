// Downloads files into an empty folder, 16 at a time. Arguments: address, folder, and a file with one path a line.
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import process from "node:process"
import { Pool } from "undici"
import { inParallel } from "../measure/in-parallel.ts"

const [url = "", folder = "", listing = ""] = process.argv.slice(2)
const paths = (await readFile(listing, "utf8")).trim().split("\n")
for (const parent of new Set(paths.map(dirname))) await mkdir(join(folder, parent), { recursive: true })
const pool = new Pool(url, { connections: 16 })
await inParallel(paths.length, 16, async (index) => {
  const path = paths[index] ?? ""
  const answer = await pool.request({ method: "GET", path: `/${path}` })
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
  await writeFile(join(folder, path), await answer.body.bytes())
})
await pool.close()
