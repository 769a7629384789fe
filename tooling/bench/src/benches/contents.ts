import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { analyzeCheckpoint } from "@assay/contents"
import { openLocalStorage, type Storage } from "@assay/storage"
import { startFakeObjstore } from "@assay/testkit"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, forComparison, type Bench, type Measurement } from "../bench.ts"
import { makeCheckpoint } from "../contents/make-checkpoint.ts"
import { writeRows } from "../contents/write-rows.ts"
import { createFileset } from "../create-fileset.ts"
import { openObjstore } from "../remote/open-objstore.ts"
import { inTurns } from "../in-turns.ts"
import { median } from "../load.ts"
import { captureCommand } from "../run-command.ts"

const MIB = 2 ** 20
const GB = 1e9

interface Validation {
  readonly seconds: number
  readonly valid: number
  readonly peak?: number
}

/** Measures the validation of 1 GB of JSON lines in a separate process. */
async function validation(folder: string): Promise<readonly Measurement[]> {
  await mkdir(folder)
  const file = join(folder, "rows.jsonl")
  const rows = writeRows(file, { bytes: GB })
  const own = fileURLToPath(new URL("../contents/validate-rows.ts", import.meta.url))
  let peak = 0
  const run = async (...args: string[]): Promise<number> => {
    const found = JSON.parse(await captureCommand(process.execPath, args)) as Validation
    if (found.valid !== rows) throw new Error(`${args.join(" ")} found ${found.valid} valid rows of ${rows}`)
    peak = Math.max(peak, found.peak ?? 0)
    return found.seconds
  }
  const [one = 0, two = 0, bare = 0] = await inTurns([
    () => run(own, folder, "1"),
    () => run(own, folder, "2"),
    () => run(bareScript("validate-rows"), file),
  ])
  const rate = (seconds: number) => `${Math.round(rows / seconds)} rows/s`
  return [
    atLeast(
      "validate 1 GB of JSON lines on one core, to bare JSON.parse and Ajv",
      bare / one,
      0.8,
      `${rate(one)} to ${rate(bare)}`,
    ),
    atLeast("the same on two cores", bare / two, 1.4, rate(two)),
    atMost("resident memory of that, MiB", peak / MIB, 300, "highest of all runs"),
  ]
}

/** Measures the analysis of a sparse checkpoint of 700 GB, on a disk and on the fake object store. */
async function checkpoints(folder: string): Promise<readonly Measurement[]> {
  const { small, shards } = await makeCheckpoint(folder)
  const store = await startFakeObjstore({ buckets: { files: { publicRead: true } } })
  for (const [name, text] of Object.entries(small)) store.write(name, text)
  for (const { name, size, head } of shards) store.write(name, { size, head })
  let cost = { bytes_read: 0, requests: 0 }
  const timed = async (storage: Storage) => {
    const started = performance.now()
    cost = await analyzeCheckpoint({ storage })
    return (performance.now() - started) / 1000
  }
  const [local = 0, remote = 0] = await inTurns([
    () => timed(openLocalStorage({ type: "local", path: folder })),
    async () => timed(await openObjstore(store.endpoint)),
  ])
  await store.close()
  const { bytes_read, requests } = cost
  return [
    atMost("seconds to analyse a checkpoint of 700 GB in 160 shards, local", local, 2, `${requests} requests`),
    atMost("the same on an object store", remote, 2, "the fake"),
    atMost(
      "MiB read for each shard of it",
      bytes_read / MIB / shards.length,
      2,
      `${Math.round(bytes_read / MIB)} in all`,
    ),
  ]
}

/** Measures a page near the end of a file of a million rows, over HTTP. */
async function pages(folder: string): Promise<readonly Measurement[]> {
  const data = join(folder, "data")
  await mkdir(folder)
  const file = join(folder, "million.jsonl")
  writeRows(file, { rows: 1_000_000 })
  const server = await startAssay(data)
  const fileset = await createFileset(server.url, "rows")
  const { openAsBlob } = await import("node:fs")
  const put = await fetch(`${fileset}/-/million.jsonl`, { method: "PUT", body: await openAsBlob(file) })
  if (!put.ok) throw new Error(`${put.status}: ${await put.text()}`)
  const page = async () => {
    const started = performance.now()
    const answer = await fetch(`${fileset}/rows?path=million.jsonl&offset=900000&limit=100`)
    const { data: rows } = (await answer.json()) as { data: readonly unknown[] }
    if (rows.length !== 100) throw new Error(`The page has ${rows.length} rows`)
    return performance.now() - started
  }
  const first = await page()
  const later = [await page(), await page(), await page(), await page(), await page()]
  await server.stop()
  return [
    forComparison("first page of rows at 900,000 of 1,000,000, which makes the index", `${Math.round(first)} ms`),
    atMost("a later one, ms", median(later), 100, "100 rows over HTTP"),
  ]
}

export const contents: Bench = {
  name: "contents",
  async run({ folder }) {
    return [
      ...(await validation(join(folder, "rows"))),
      ...(await checkpoints(join(folder, "checkpoint"))),
      ...(await pages(join(folder, "pages"))),
    ]
  },
}
