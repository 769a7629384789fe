// Compares a folder with the listing of a fileset by size, the least that a sync without changes can do. Arguments: address of
// the listing, folder.
import { readdirSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import process from "node:process"

const [url = "", folder = ""] = process.argv.slice(2)
const { data } = (await (await fetch(url)).json()) as { data: readonly { path: string; size: number }[] }
const sizes = new Map(data.map(({ path, size }) => [path, size]))
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const file = join(entry.parentPath, entry.name)
  const path = relative(folder, file)
  if (sizes.get(path) !== statSync(file).size) throw new Error(`${path} is different`)
  sizes.delete(path)
}
if (sizes.size > 0) throw new Error(`${sizes.size} files are missing`)
