import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand, type RunOptions } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

const SCHEMA = {
  type: "object",
  required: ["text", "stars"],
  properties: { text: { type: "string" }, stars: { type: "integer", minimum: 1, maximum: 5 } },
}
const LINES = Array.from({ length: 20_000 }, (_, at) => JSON.stringify({ text: `größe ${at}`, stars: (at % 5) + 1 }))
const BAD_LINE = 12_346
LINES[BAD_LINE - 1] = '{"text": "so good", "stars": "five"}'
const BAD_OFFSET = Buffer.byteLength(`${LINES.slice(0, BAD_LINE - 1).join("\n")}\n`)

let folder: TemporaryFolder
beforeAll(() => {
  folder = makeTemporaryFolder()
  folder.write("schema.json", JSON.stringify(SCHEMA))
  folder.write("reviews/train/a.jsonl", `${LINES.join("\n")}\n`)
  folder.write("reviews/b.csv.gz", gzipSync("text,stars\nfine,4\nnot so,2\n"))
  folder.write("reviews/README.md", "# not rows")
})
afterAll(() => folder[Symbol.dispose]())

/** Runs a command without a server: nothing listens at the address. */
function dataset(words: readonly string[], options: RunOptions = {}) {
  return runCommand(["dataset", ...words], {
    cwd: folder.path,
    env: { ASSAY_URL: "http://127.0.0.1:9" },
    ...options,
  })
}

async function json(...words: string[]) {
  return JSON.parse((await dataset([...words, "--json"])).stdout)
}

describe("assay dataset validate with a folder", () => {
  it(
    "finds one invalid row among thousands, names its location, and ends with exit code 1",
    verifies("cli.dataset", "contents.validate.command", "cli.exit.no"),
    async () => {
      const { exitCode, stdout, stderr } = await dataset(["validate", "./reviews", "--schema", "schema.json"])
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
      expect(stdout).toMatch(/^\.\/reviews\/train\/a\.jsonl +20,000 +1 +\/schema$/m)
      expect(stdout).toContain(
        `\n./reviews/train/a.jsonl:${BAD_LINE}:${BAD_OFFSET} /stars must be integer; it is "five"\n`,
      )
      expect(stdout).toMatch(/\n1 of 20,002 rows in 2 files is invalid\n$/)
    },
  )

  it("prints the report as JSON, with the same exit code", verifies("cli.dataset", "cli.exit.no"), async () => {
    const { exitCode, stdout } = await dataset(["validate", "reviews/", "--schema", "schema.json", "--json"])
    expect(exitCode).toBe(1)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ rows: 20_002, valid: 20_001, invalid: 1, without_schema: [] })
    expect(report.files.map(({ path }: { path: string }) => path)).toEqual(["b.csv.gz", "train/a.jsonl"])
    expect(report.files[1].issues).toMatchObject([{ line: BAD_LINE, offset: BAD_OFFSET, pointer: "/stars" }])
  })

  it("ends with exit code 0 if all rows are valid", verifies("cli.dataset"), async () => {
    const { exitCode, stdout } = await dataset(["validate", "./reviews/b.csv.gz", "--schema", "schema.json"])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\nall of 2 rows in 1 file are valid\n$/)
  })

  it("reads metadata from a file, and counts files without a schema", verifies("cli.dataset"), async () => {
    const metadata = {
      schema_defs: { review: SCHEMA },
      schemas_by_path: { "train/*.jsonl": "review" },
      enforce: "reject",
    }
    folder.write("metadata.json", JSON.stringify(metadata))
    const { exitCode, stdout } = await dataset(["validate", "./reviews", "--metadata", "metadata.json"])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^\.\/reviews\/b\.csv\.gz +2 +0 +none$/m)
    expect(stdout).toMatch(/^\.\/reviews\/train\/a\.jsonl +20,000 +1 +review$/m)
    expect(stdout).toMatch(/; there is no schema for 1 file\n$/)
  })

  it("reads a schema from stdin, which can use the definitions of the metadata", async () => {
    folder.write("defs.json", JSON.stringify({ schema_defs: { review: SCHEMA } }))
    const words = ["validate", "./reviews/train", "--schema", "-", "--metadata", "defs.json"]
    const { exitCode } = await dataset(words, { input: '{"$ref": "#/schema_defs/review"}' })
    expect(exitCode).toBe(1)
  })

  it("lists at most --max-issues issues per file, and says that there are more", async () => {
    folder.write("worse/a.jsonl", "1\n2\n3\n")
    const words = ["validate", "./worse", "--schema", "schema.json", "--max-issues", "2"]
    const { stdout } = await dataset(words)
    expect(stdout.match(/^\.\/worse\/a\.jsonl:\d+:\d+ must be object/gm)).toHaveLength(2)
    expect(stdout).toContain("./worse/a.jsonl: there are more issues; --max-issues lists more of each file\n")
    expect(stdout).toMatch(/\n3 of 3 rows in 1 file are invalid\n$/)
  })

  it.each([
    [["validate", "./nowhere"], "Can't read"],
    [["validate", "./empty", "--schema", "schema.json"], "'./empty' has no file in a format that has rows"],
    [["validate", "./reviews/README.md"], "is not a row file"],
    [["validate", "./reviews", "--schema", "nowhere.json"], "which can't be read"],
    [["validate", "./reviews", "--schema", "reviews/README.md"], "is not JSON"],
    [["validate", "./reviews", "--schema", "wrong.json"], "is not JSON Schema 2020-12"],
    [["validate", "./reviews", "--metadata", "whole.json"], "only the value of its key 'dataset'"],
    [["validate", "./reviews", "--metadata", "unknown.json"], "names the schema 'x'"],
    [["head", "./reviews"], "does not name a file"],
  ])("%j fails with a message that contains: %s", verifies("cli.exit.fixable"), async (words, message) => {
    folder.write("empty/notes.txt", "")
    folder.write("wrong.json", '{"type": "objekt"}')
    folder.write("whole.json", '{"dataset": {}}')
    folder.write("unknown.json", '{"schema": "x"}')
    const { exitCode, stderr } = await dataset(words)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe("assay dataset infer-schema", () => {
  it("prints a schema that the rows satisfy", verifies("cli.dataset"), async () => {
    const { stdout } = await dataset(["infer-schema", "./reviews/b.csv.gz"])
    folder.write("inferred.json", stdout)
    expect(JSON.parse(stdout)).toMatchObject({ type: "object", required: ["text", "stars"] })
    expect((await dataset(["validate", "./reviews/b.csv.gz", "--schema", "inferred.json"])).exitCode).toBe(0)
  })

  it("reads only --rows rows", async () => {
    folder.write("mixed.jsonl", '{"a": 1}\n{"a": "x"}\n')
    expect((await json("infer-schema", "./mixed.jsonl", "--limit", "1")).properties.a).toEqual({ type: "integer" })
    expect((await json("infer-schema", "./mixed.jsonl")).properties.a).not.toEqual({ type: "integer" })
  })
})

describe("assay dataset head", () => {
  it("prints rows as lines of JSON, and reports unreadable rows on stderr", verifies("cli.dataset"), async () => {
    folder.write("odd.jsonl", '{"a": "\u009B2J"}\nnot\n{"a": 2}\n{"a": 3}\n')
    const { exitCode, stdout, stderr } = await dataset(["head", "./odd.jsonl", "-n", "3"])
    expect(exitCode).toBe(0)
    expect(stdout).toBe('{"a":"\\u009b2J"}\n{"a":2}\n')
    expect(stderr).toMatch(/^\.\/odd\.jsonl:2:\d+ is not JSON: /)
  })

  it(
    "with --json prints the location of each row, and CSV fields with the types of the schema",
    verifies("cli.dataset"),
    async () => {
      const { data } = await json("head", "./reviews/b.csv.gz", "--schema", "schema.json", "-n", "1")
      expect(data).toEqual([{ row_index: 0, line: 2, offset: 11, row: { text: "fine", stars: 4 }, fault: null }])
    },
  )

  it("reads a file through a link that leads out of its folder", async () => {
    folder.write("links/keep.txt", "")
    symlinkSync("../mixed.jsonl", join(folder.path, "links/there.jsonl"))
    expect((await dataset(["head", "./links/there.jsonl", "-n", "1"])).stdout).toBe('{"a":1}\n')
  })
})

describe("assay dataset profile", () => {
  it("counts types, missing values, ranges, lengths and values per column", verifies("cli.dataset"), async () => {
    folder.write("p.jsonl", '{"a": 1, "b": "x"}\n{"a": 5}\n{"a": null, "b": "xyz"}\nnot\n')
    const { stdout } = await dataset(["profile", "./p.jsonl"])
    expect(stdout).toMatch(/^\.\/p\.jsonl +4 +1$/m)
    expect(stdout).toMatch(/^\/a +null 1, integer 2 +0 +3 +1 to 5 /m)
    expect(stdout).toMatch(/^\/b +string +1 +2 +1 to 3, mean 2 +"x" 1, "xyz" 1$/m)
    const profile = await json("profile", "./p.jsonl")
    expect(profile.columns[1]).toMatchObject({ pointer: "/b", missing: 1, lengths: { min: 1, max: 3, mean: 2 } })
  })
})

describe("an assay dataset command", () => {
  it.each([
    ["validate", /[\d,]+ rows {2}[\d.]+ [KM]?i?B of [\d.]+ KiB {2}[\d.]+ [KM]?i?B\/s {2}[\d.]+ s left/],
    ["profile", /K[\d.]+ [KM]?i?B of [\d.]+ KiB {2}[\d.]+ [KM]?i?B\/s {2}[\d.]+ s left/],
  ])("%s shows progress and the remaining time on a terminal", verifies("cli.progress"), async (verb, shown) => {
    let time = 0
    const { stderr } = await dataset([verb, "./reviews", "--schema", "schema.json"], {
      isTerminal: { stdin: false, stdout: true, stderr: true },
      now: () => (time += 200),
    })
    expect(stderr).toMatch(shown)
    expect(stderr.endsWith("\r\u001B[K")).toBe(true)
  })
})
