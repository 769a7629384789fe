// Streams a folder with one large file as an archive, then reads the file for its CRC-32 alone. Prints the time to the first byte,
// the seconds of both and the growth of memory.
import { createReadStream, statSync } from "node:fs"
import process from "node:process"
import { crc32 } from "node:zlib"
import { streamArchive } from "@assay/results"
import { measureMemory } from "../measure/measure-memory.ts"

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
const growth = memory.growth()
const startedAgain = performance.now()
let sum = 0
for await (const piece of open()) sum = crc32(piece as Buffer, sum)
const bareSeconds = (performance.now() - startedAgain) / 1000
process.stdout.write(JSON.stringify({ first, seconds, bareSeconds, bytes, growth, sum }))
