// Sends the files of a folder to a server, 16 at a time. Arguments: address, folder.
import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import process from "node:process"
import { Pool } from "undici"
import { inParallel } from "../measure/in-parallel.ts"

const [url = "", folder = ""] = process.argv.slice(2)
const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
const pool = new Pool(url, { connections: 16 })
await inParallel(files.length, 16, async (index) => {
  const file = files[index] ?? ""
  const body = await readFile(file)
  const answer = await pool.request({ method: "PUT", path: `/${relative(folder, file)}`, body })
  if (answer.statusCode !== 200) throw new Error(`${file}: ${answer.statusCode}`)
  await answer.body.dump()
})
await pool.close()
