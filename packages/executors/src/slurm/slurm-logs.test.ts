import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readShardLogs } from "./slurm-logs.ts"

const NEVER = new AbortController().signal
const ARRAYS = [
  { job: "7", cluster: undefined, offset: 0 },
  { job: "8", cluster: undefined, offset: 1001 },
]

async function read(folder: string, shard: number): Promise<string> {
  return (await Array.fromAsync(readShardLogs(folder, ARRAYS, shard, NEVER))).join("")
}

it("output files are found by the shard, also in an array that begins with another one", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-slurm-"))
  const files = { "00003-7.out": "shard 3", "00002+1001-8.out": "shard 1003", "00003-8.out": "of another run" }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text)
  expect(await read(folder.path, 3)).toBe("shard 3")
  expect(await read(folder.path, 1003)).toBe("shard 1003")
  expect(await read(folder.path, 4)).toBe("")
  expect(await read(join(folder.path, "missing"), 3)).toBe("")
})

it("the last MiB of a large output file is read, with a line that says what is left out", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-slurm-"))
  const path = join(folder.path, "00000-7.out")
  writeFileSync(path, `${"a".repeat(3 * 1024 * 1024)}é the end`)
  const text = await read(folder.path, 0)
  const left = 2 * 1024 * 1024 + Buffer.byteLength("é the end")
  expect(text.startsWith(`… (${left} bytes of ${path} are left out)\na`)).toBe(true)
  expect(text.endsWith("é the end")).toBe(true)
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024 + 1000)
})
