import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { inParallel } from "../measure/in-parallel.ts"

const PARALLEL = 8
/** Bytes of a first request, in which the header of most shards is whole. */
const FIRST = 65_536
const LENGTH_BYTES = 8

type ReadRange = (start: number, end: number) => Promise<Buffer>

/** Reads the header of a safetensors file as anyone would: one guess of its length, and the rest if it is longer. */
async function countTensors(read: ReadRange): Promise<number> {
  const first = await read(0, FIRST)
  const end = LENGTH_BYTES + Number(first.readBigUInt64LE())
  const text = end <= first.length ? first.subarray(LENGTH_BYTES, end) : await read(LENGTH_BYTES, end)
  return Object.keys(JSON.parse(text.toString()) as object).length
}

/** Reads the headers of all shards of a folder, and returns the number of their tensors. */
export async function localHeaders(folder: string, names: readonly string[]): Promise<number> {
  let tensors = 0
  await inParallel(names.length, PARALLEL, async (index) => {
    const file = await open(join(folder, names[index] ?? ""))
    tensors += await countTensors(async (start, end) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
      return buffer.subarray(0, bytesRead)
    })
    await file.close()
  })
  return tensors
}

/** Reads the same headers by range requests. */
export async function remoteHeaders(base: string, names: readonly string[]): Promise<number> {
  let tensors = 0
  await inParallel(names.length, PARALLEL, async (index) => {
    tensors += await countTensors(async (start, end) => {
      const answer = await fetch(`${base}/${names[index]}`, { headers: { range: `bytes=${start}-${end - 1}` } })
      if (answer.status !== 206) throw new Error(`${names[index]}: ${answer.status}`)
      return Buffer.from(await answer.arrayBuffer())
    })
  })
  return tensors
}

/** Finds the line ends of a file, which an index of its rows needs at least. */
export async function countLines(file: string): Promise<number> {
  let lines = 0
  for await (const piece of createReadStream(file, { highWaterMark: 2 ** 20 })) {
    const bytes = piece as Buffer
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1
  }
  return lines
}
