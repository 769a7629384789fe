import { openAsBlob } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { analyzeCheckpoint } from "@assay/checkpoints"
import { openLocalStorage, type Storage } from "@assay/storage"
import { startFakeObjstore } from "@assay/testkit"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, type Bench, type Measurement } from "../bench.ts"
import { countLines, localHeaders, remoteHeaders } from "../contents/bare-readers.ts"
import { makeCheckpoint } from "../contents/make-checkpoint.ts"
import { writeRows } from "../contents/write-rows.ts"
import { createFileset } from "../filesets/create-fileset.ts"
import { openObjstore } from "../remote/open-objstore.ts"
import { inTurns } from "../measure/in-turns.ts"
import { captureCommand } from "../measure/run-command.ts"

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
  const [one, two, bare] = await inTurns([
    () => run(own, folder, "1"),
    () => run(own, folder, "2"),
    () => run(bareScript("validate-rows"), file),
  ])
  const rate = (seconds: number) => `${Math.round(rows / seconds)} rows/s`
  return [
    atLeast(
      { work: "validate 1 GB of JSON lines on one core", does: "To a script with JSON.parse and Ajv, line by line." },
      bare / one,
      0.8,
      `${rate(one)} to ${rate(bare)}`,
    ),
    atLeast(
      { work: "the same on two cores", does: "To the same script, which uses one core." },
      bare / two,
      1.4,
      `${rate(two)} to ${rate(bare)}`,
    ),
    atMost(
      { work: "memory of that, MiB", does: "Highest resident memory of the process." },
      peak / MIB,
      300,
      "highest of all runs",
    ),
  ]
}

/** Measures the analysis of a sparse checkpoint of 700 GB, on a disk and on the fake object store. */
async function checkpoints(folder: string): Promise<readonly Measurement[]> {
  const { small, shards } = await makeCheckpoint(folder)
  const store = await startFakeObjstore({ buckets: { files: { publicRead: true } } })
  for (const [name, text] of Object.entries(small)) store.write(name, text)
  for (const { name, size, head } of shards) store.write(name, { size, head })
  let cost = { bytes_read: 0, requests: 0 }
  const names = shards.map(({ name }) => name)
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return (performance.now() - started) / 1000
  }
  const analyze = (storage: Storage) =>
    timed(async () => {
      cost = await analyzeCheckpoint({ storage })
    })
  const [local, bareLocal, remote, bareRemote] = await inTurns(
    [
      () => analyze(openLocalStorage({ type: "local", path: folder })),
      () => timed(() => localHeaders(folder, names)),
      async () => analyze(await openObjstore(store.endpoint)),
      () => timed(() => remoteHeaders(`${store.endpoint}/files`, names)),
    ],
    5,
  )
  await store.close()
  const { bytes_read, requests } = cost
  const detail = (ours: number, theirs: number) =>
    `${Math.round(ours * 1000)} ms to ${Math.round(theirs * 1000)} ms, ${requests} requests`
  return [
    atMost(
      {
        work: "analyse a checkpoint of 700 GB, local",
        does: "160 shards, to reading and parsing their headers, 8 at a time.",
      },
      local / bareLocal,
      12,
      detail(local, bareLocal),
    ),
    atMost(
      { work: "the same on an object store", does: "To range requests for the headers with fetch, 8 at a time." },
      remote / bareRemote,
      2,
      detail(remote, bareRemote),
    ),
    atMost(
      { work: "bytes read for each shard of it, MiB", does: "Header and nothing else." },
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
  const put = await fetch(`${fileset}/-/million.jsonl`, { method: "PUT", body: await openAsBlob(file) })
  if (!put.ok) throw new Error(`${put.status}: ${await put.text()}`)
  const page = async (offset: number) => {
    const started = performance.now()
    const answer = await fetch(`${fileset}/rows?path=million.jsonl&offset=${offset}&limit=100`)
    const { data: rows } = (await answer.json()) as { data: readonly unknown[] }
    if (rows.length !== 100) throw new Error(`The page has ${rows.length} rows`)
    return performance.now() - started
  }
  const first = await page(900_000)
  const [late, early, lines] = await inTurns(
    [
      () => page(900_000),
      () => page(0),
      async () => {
        const started = performance.now()
        await countLines(file)
        return performance.now() - started
      },
    ],
    5,
  )
  await server.stop()
  const detail = (ours: number, theirs: number) => `${ours.toFixed(1)} ms to ${theirs.toFixed(1)} ms`
  return [
    atMost(
      {
        work: "first page of rows at 900,000 of 1,000,000",
        does: "Makes the index of the rows, to finding the line ends of the file.",
      },
      first / lines,
      5,
      detail(first, lines),
    ),
    atMost(
      { work: "a later page there", does: "100 rows over HTTP, to the first 100 rows of the file." },
      late / early,
      3,
      detail(late, early),
    ),
  ]
}

export const contents: Bench = {
  name: "contents",
  async run({ folder, part }) {
    await part("validation", () => validation(join(folder, "rows")))
    await part("checkpoints", () => checkpoints(join(folder, "checkpoint")))
    await part("pages of rows", () => pages(join(folder, "pages")))
  },
}
