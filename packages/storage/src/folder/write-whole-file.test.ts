import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { writeWholeFile } from "./write-whole-file.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whole-file-"))
})
afterEach(() => rm(folder, { recursive: true }))

it("writeWholeFile creates folders, replaces a file and returns its size", async () => {
  const file = join(folder, "a/b.txt")
  expect(await writeWholeFile(file, ["ä", Buffer.from("b")])).toBe(3)
  expect(await writeWholeFile(file, ["new"])).toBe(3)
  expect(await readFile(file, "utf8")).toBe("new")
  expect(await readdir(join(folder, "a"))).toEqual(["b.txt"])
})

it("writeWholeFile keeps the file before if the bytes fail, and leaves nothing else", async () => {
  const file = join(folder, "b.txt")
  await writeWholeFile(file, ["before"])
  async function* failing(): AsyncGenerator<string, void> {
    yield "half"
    throw new Error("cut")
  }
  await expect(writeWholeFile(file, failing())).rejects.toThrow("cut")
  expect(await readFile(file, "utf8")).toBe("before")
  expect(await readdir(folder)).toEqual(["b.txt"])
})
