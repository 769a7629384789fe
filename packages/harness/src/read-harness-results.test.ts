import { execFileSync } from "node:child_process"
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runBounded, verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readHarnessResults, withoutMissingNumbers } from "./read-harness-results.ts"

const SCORES = '{"task":{"metric":{"score":1}}}'

let home: string
let folder: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "results-"))
  folder = join(home, "work")
  await mkdir(folder)
  await mkdir(join(home, "elsewhere"))
  await writeFile(join(home, "elsewhere", "scores.json"), SCORES)
})
afterEach(() => rm(home, { recursive: true }))

describe("the scores of a harness", () => {
  it("are read from a regular file, also in a subfolder", async () => {
    await mkdir(join(folder, "out"))
    await writeFile(join(folder, "out", "scores.json"), SCORES)
    expect(await readHarnessResults(folder, "out/scores.json")).toEqual({ task: { metric: { score: 1 } } })
  })

  it.each([
    ["a link", /is a link/, (path: string) => symlink(join(home, "elsewhere", "scores.json"), path)],
    ["a hard link", /a hard link/, (path: string) => link(join(home, "elsewhere", "scores.json"), path)],
    ["a named pipe", /a pipe/, async (path: string) => void execFileSync("mkfifo", [path])],
    ["a folder", /a folder/, (path: string) => mkdir(path)],
    ["a link to a device", /is a link/, (path: string) => symlink("/dev/zero", path)],
  ])("are not read from %s, which fails without waiting", verifies("harness.results"), async (_, message, make) => {
    await make(join(folder, "results.json"))
    await expect(readHarnessResults(folder, "results.json")).rejects.toMatchObject({
      code: "harness_failed",
      message: expect.stringMatching(message),
    })
  })

  it("are not read from a socket", verifies("harness.results"), async () => {
    await using server = createServer().listen(join(folder, "results.json"))
    await new Promise((resolve) => server.once("listening", resolve))
    await expect(readHarnessResults(folder, "results.json")).rejects.toThrow("is a socket")
  })

  it("are not read through a folder that is a link", verifies("harness.results"), async () => {
    await symlink(join(home, "elsewhere"), join(folder, "out"))
    await expect(readHarnessResults(folder, "out/scores.json")).rejects.toThrow("is behind a link")
  })

  it("may be NaN or infinite as Python writes them, and strings with these words stay as they are", async () => {
    const text = '{"NaN, -Infinity":{"m":{"a": NaN, "b":-Infinity,"c\\\\":[1].length}}}'.replace("[1].length", "0.5")
    await writeFile(join(folder, "results.json"), text)
    expect(await readHarnessResults(folder, "results.json")).toEqual({
      "NaN, -Infinity": { m: { a: "NaN", b: "NaN", "c\\": 0.5 } },
    })
  })

  it.each(["1e308", "-1e308", "1e400", "1000000000000001", "9223372036854775808"])(
    "are within the range of scores, which %s is not",
    async (value) => {
      await writeFile(join(folder, "results.json"), `{"task":{"metric":{"ok":1e15,"zero":-0,"score":${value}}}}`)
      await expect(readHarnessResults(folder, "results.json")).rejects.toMatchObject({
        code: "harness_failed",
        message: expect.stringMatching(
          /results\.json: task\.metric\.score is .*a number from -1000000000000000 to 1000000000000000, or null/i,
        ),
      })
    },
  )

  it.each([
    ["blanks", " ".repeat(4_000_000)],
    ["texts that do not end", '"' + '\\"'.repeat(2_000_000)],
    ["words", "[" + "NaN ".repeat(1_000_000)],
  ])("that are %s are refused in linear time", async (_, text) => {
    expect(() => runBounded(() => JSON.parse(withoutMissingNumbers(text)) as unknown)).toThrow("JSON")
    await writeFile(join(folder, "results.json"), text)
    await expect(readHarnessResults(folder, "results.json")).rejects.toThrow("is not JSON")
  })

  it("are limited in bytes and in number", async () => {
    await writeFile(join(folder, "results.json"), `${SCORES}${" ".repeat(5_000_000)}`)
    await expect(readHarnessResults(folder, "results.json")).rejects.toThrow("more than 4194304 bytes")
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`score${index}`, 1]))
    await writeFile(join(folder, "results.json"), JSON.stringify({ task: { metric: many } }))
    await expect(readHarnessResults(folder, "results.json")).rejects.toThrow("more than 10000 scores")
  })
})
