// Streams a folder with one large file as an archive. Prints the time to the first byte, the rate and the memory.
import { createReadStream, statSync } from "node:fs"
import process from "node:process"
import { streamArchive } from "@assay/evaluation"
import { measureMemory } from "../measure-memory.ts"

const path = process.argv[2] ?? ""
const { size, mtimeMs: mtime } = statSync(path)
const open = () => createReadStream(path, { highWaterMark: 1_048_576 })
const memory = measureMemory()
const started = performance.now()
let first: number | undefined
let bytes = 0
for await (const piece of streamArchive([{ path: "rows.jsonl", size, mtime, open }])) {
  first ??= performance.now() - started
  bytes += piece.length
}
const seconds = (performance.now() - started) / 1000
process.stdout.write(JSON.stringify({ first, seconds, bytes, growth: memory.growth() }))
