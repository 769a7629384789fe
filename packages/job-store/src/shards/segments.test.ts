import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openLocalStorage, parseFilePath, type Storage } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readFacts, readSegment, readSegmentPart, type Segment, writeSegments } from "./segments.ts"

const line = (index: number, length: number) => `${JSON.stringify({ index, text: "ä".repeat(length) })}\n`
const pathOf = (number: number) => parseFilePath(`jobs/a/0/worker-${number}.jsonl.zst`)

async function* textsOf(lines: readonly string[]) {
  for (let at = 0; at < lines.length; at += 3) yield lines.slice(at, at + 3).join("")
}

describe("segments", () => {
  let folder: string
  let storage: Storage
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "segments-"))
    storage = openLocalStorage({ type: "local", path: folder })
  })
  afterEach(() => rm(folder, { recursive: true }))

  const textOf = async (segment: Segment) => Buffer.concat([...(await readSegment(storage, segment))]).toString()

  it("give back every line, whole and in parts", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => line(index, (index * 37) % 3000))
    const [segment, ...others] = await writeSegments(storage, pathOf, { texts: textsOf(lines) })
    if (segment === undefined) throw new Error("There is no segment.")
    expect(others).toEqual([])
    expect(segment.frames.length).toBeGreaterThan(3)
    expect(await textOf(segment)).toBe(lines.join(""))
    let start = 0
    for (const [at, text] of lines.entries()) {
      const length = Buffer.byteLength(text)
      if (at % 29 === 0) expect(await readSegmentPart(storage, segment, { start, length })).toBe(text)
      start += length
    }
    const across = { start: 0, length: start }
    expect(await readSegmentPart(storage, segment, across)).toBe(lines.join(""))
    expect(await readSegmentPart(storage, segment, { start, length: 10 })).toBe("")
  })

  it("are several if the lines are many", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => line(index, 1_000_000))
    const segments = await writeSegments(storage, pathOf, { texts: textsOf(lines) })
    expect(segments.map(({ path }) => path)).toEqual([pathOf(0), pathOf(1), pathOf(2)])
    const texts = await Promise.all(segments.map(textOf))
    expect(texts.join("")).toBe(lines.join(""))
    expect(await writeSegments(storage, pathOf, { texts: textsOf([]) })).toEqual([])
  })

  it("give back the facts that were written with them, in a frame that decoders skip", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => line(index, 1_000_000))
    const texts = () => textsOf(lines)
    const segments = await writeSegments(storage, pathOf, { texts: texts(), facts: '{"rows":20}' })
    expect(segments.map(({ facts }) => facts?.[0])).toEqual([0, 0, 11])
    expect(await Promise.all(segments.map((one) => readFacts(storage, one)))).toEqual([
      undefined,
      undefined,
      '{"rows":20}',
    ])
    expect((await Promise.all(segments.map(textOf))).join("")).toBe(lines.join(""))
    const [segment] = await writeSegments(storage, pathOf, { texts: textsOf([line(0, 100)]), facts: "none" })
    if (segment === undefined) throw new Error("There is no segment.")
    const bytes = await readFile(join(folder, segment.path))
    const start = segment.frames[0]?.[1] ?? 0
    expect([bytes.readUInt32LE(start), bytes.readUInt32LE(start + 4)]).toEqual([0x184d2a50, bytes.length - start - 8])
    await writeFile(join(folder, segment.path), bytes.subarray(0, bytes.length - 1))
    await expect(readFacts(storage, segment)).rejects.toMatchObject({ code: "content_damaged" })
  })

  it("say so if they are damaged", async () => {
    const [segment] = await writeSegments(storage, pathOf, { texts: textsOf([line(0, 100), line(1, 100)]) })
    if (segment === undefined) throw new Error("There is no segment.")
    const file = join(folder, segment.path)
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, bytes.length - 3))
    await expect(textOf(segment)).rejects.toMatchObject({ code: "content_damaged" })
    const grown = { ...segment, frames: segment.frames.map(([text, stored]) => [text - 1, stored] as const) }
    await writeFile(file, bytes)
    await expect(textOf(grown)).rejects.toMatchObject({ code: "content_damaged" })
  })
})
