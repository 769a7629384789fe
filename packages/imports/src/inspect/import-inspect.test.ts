import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { crc32, deflateRawSync, zstdCompressSync } from "node:zlib"
import { planOf, scorePlan, testEnvironment } from "@assay/evaluation/testing"
import type { EvaluationConfigBody } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { beforeEach, describe, expect, it } from "vitest"
import { importInspect } from "./import-inspect.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-inspect-"))
  return () => folder.remove()
})

const HEADER = { version: 2, status: "success", eval: { task: "capitals", model: "mockllm/model" } }

function sample(id: number, epoch: number, over: object = {}) {
  return {
    id,
    epoch,
    input: [{ role: "user", content: [{ type: "text", text: "attachment://abc" }] }],
    target: "Paris",
    attachments: { abc: "Which city?" },
    output: {
      model: "mockllm/model",
      choices: [{ message: { role: "assistant", content: "It is Paris" }, stop_reason: "stop" }],
      usage: { total_tokens: 7 },
    },
    scores: { match: { value: id === 1 ? "C" : "I", answer: "Paris" }, grade: { value: { tone: 0.5, depth: "P" } } },
    metadata: { level: "easy" },
    total_time: 1.5,
    ...over,
  }
}

interface Member {
  readonly name: string
  readonly text: string
  readonly method?: 0 | 8 | 12 | 93
  /** Replaces the size that the directory says. */
  readonly size?: number
  readonly flags?: number
}

/** Returns a zip archive. */
function zip(members: readonly Member[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, text, method = 8, size, flags = 0 } of members) {
    const bytes = Buffer.from(text)
    const packed = method === 0 ? bytes : method === 8 ? deflateRawSync(bytes) : zstdCompressSync(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04_03_4b_50)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02_01_4b_50)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(crc32(bytes), 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(size ?? bytes.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const all = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06_05_4b_50)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(all.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, all, end])
}

const LOG: readonly Member[] = [
  { name: "header.json", text: JSON.stringify(HEADER), method: 93 },
  { name: "samples/1_epoch_1.json", text: JSON.stringify(sample(1, 1)) },
  { name: "samples/2_epoch_1.json", text: JSON.stringify(sample(2, 1)), method: 0 },
  {
    name: "samples/1_epoch_2.json",
    text: JSON.stringify(sample(1, 2, { scores: {}, error: { message: "It broke." } })),
  },
  { name: "summaries.json", text: "[]" },
]

function importLog(bytes: Buffer | string, name = "log.eval", force = false) {
  writeFileSync(join(folder.path, name), bytes)
  const { signal } = new AbortController()
  return importInspect({ file: name, cwd: folder.path, out: "evaluation.yaml", force, signal })
}

const rowsOf = () =>
  readFileSync(join(folder.path, "evaluation.rows.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe("a log of Inspect", () => {
  it("in a zip archive becomes rows, and an evaluation file with its scores", async () => {
    const { rows, notes } = await importLog(zip(LOG))
    expect(rows).toBe(3)
    expect(notes.map(({ part, outcome }) => [part, outcome])).toEqual([
      ["error", "changed"],
      ["match", "mapped"],
      ["grade-tone", "mapped"],
      ["grade-depth", "mapped"],
      ["messages, events", "left out"],
    ])
    expect(rowsOf()[0]).toMatchObject({
      id: "1",
      epoch: 1,
      input: [{ role: "user", content: "Which city?" }],
      target: "Paris",
      output: "It is Paris",
      scores: { match: 1, "grade-tone": 0.5, "grade-depth": 0.5 },
      score_details: { match: { answer: "Paris" } },
      metadata: { level: "easy" },
      latency_ms: 1500,
    })
    expect(rowsOf()[2]).toMatchObject({ epoch: 2, scores: {}, error: "It broke." })
    const text = readFileSync(join(folder.path, "evaluation.yaml"), "utf8")
    const content = readEvaluationCells(parseYaml(text, "evaluation.yaml"))[0].content
    const { tasks = {} } = content.config as EvaluationConfigBody
    const { capitals: { metrics = {} } = {} } = tasks
    const plan = await planOf(
      { type: "rows", rows: rowsOf().slice(0, 2) },
      { type: "custom", tasks: { capitals: { type: "data", metrics } } },
      testEnvironment(),
    )
    expect((await scorePlan(plan)).map(({ outcomes }) => outcomes["match"]?.scores)).toEqual([
      { given: 1 },
      { given: 0 },
    ])
    expect(content.config).toMatchObject({ params: { cluster_by: "id" } })
  })

  it("in JSON becomes the same rows", async () => {
    const samples = LOG.filter(({ name }) => name.startsWith("samples/")).map(({ text }) => JSON.parse(text) as object)
    expect((await importLog(JSON.stringify({ ...HEADER, samples }), "log.json")).rows).toBe(3)
  })

  it("with numbers that only Python writes has no score for them", async () => {
    const text = JSON.stringify({
      ...HEADER,
      samples: [sample(1, 1, { input: "Is it NaN, or -Infinity?", scores: { a: { value: "@" }, b: { value: 1 } } })],
    })
    await importLog(text.replace('"@"', "NaN"), "log.json")
    expect(rowsOf()[0]).toMatchObject({ input: "Is it NaN, or -Infinity?", scores: { a: null, b: 1 } })
  })

  it("does not replace files unless it is forced", async () => {
    await importLog(zip(LOG))
    await expect(importLog(zip(LOG))).rejects.toMatchObject({ code: "output_exists" })
    expect((await importLog(zip(LOG), "log.eval", true)).rows).toBe(3)
  })

  it.each<[string, Buffer | string, RegExp]>([
    ["is cut", zip(LOG).subarray(0, -30), /can't be read as a zip archive: .*truncated/],
    ["has a path outside of it", zip([...LOG, { name: "samples/../../x.json", text: "{}" }]), /relative path/],
    ["has an absolute path", zip([...LOG, { name: "/samples/x.json", text: "{}" }]), /absolute path/],
    [
      "is compressed in an unknown way",
      zip([...LOG, { name: "samples/3.json", text: "{}", method: 12 }]),
      /a method \(12\) that/,
    ],
    [
      "expands too much",
      zip([...LOG, { name: "samples/3.json", text: `"${"a".repeat(4_000_000)}"` }]),
      /compressed more than 300 times/,
    ],
    [
      "says a size above the limit",
      zip([...LOG, { name: "samples/3.json", text: "{}", size: 4_000_000_000 }]),
      /the limit is/,
    ],
    [
      "is larger than it says",
      zip([...LOG, { name: "samples/3.json", text: JSON.stringify({ a: "b".repeat(500) }), size: 10 }]),
      /damaged/,
    ],
    ["is encrypted", zip([...LOG, { name: "samples/3.json", text: "{}", flags: 1 }]), /encrypted/],
    ["is not JSON", zip([...LOG, { name: "samples/3.json", text: "{" }]), /log\.eval, samples\/3\.json is not JSON/],
    ["is of something else", "[1, 2]", /is not a log of Inspect/],
    ["has no samples", JSON.stringify(HEADER), /contains no samples/],
  ])("that %s is refused", async (_title, bytes, message) => {
    await expect(importLog(bytes)).rejects.toMatchObject({
      code: "bad_document",
      message: expect.stringMatching(message) as string,
    })
    expect(readdirSync(folder.path).filter((name) => name.startsWith("evaluation"))).toEqual([])
  })
})
