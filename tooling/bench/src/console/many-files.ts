import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { atMost, formatCount, type Measurement } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { fakeServer } from "../fakes/fake-server.ts"
import { createFakeSecrets, createFileset, fakeBucket } from "../filesets/create-fileset.ts"
import { seedFiles } from "../filesets/seed-files.ts"
import { firstRow } from "./first-view.ts"
import { openPage, type ConsoleSubject } from "./open-page.ts"

const IN_ONE_FOLDER = 30_000
const IN_A_BUCKET = 10_000_000
/** Smaller ones are always measured; a larger number needs `--up-to`. */
const IN_FOLDERS = [200_000, 1_000_000, 10_000_000]

/** Measures the page of filesets with many files: all of them in one folder, and 200 a folder. */
export async function measureManyFiles(
  subject: ConsoleSubject,
  { data, upTo }: { readonly data: string; readonly upTo: number },
): Promise<readonly Measurement[]> {
  const filesets = join(data, "storage", "filesets", "default")
  await createFileset(subject.url, "flat")
  await mkdir(join(filesets, "flat"), { recursive: true })
  for (let index = 0; index < IN_ONE_FOLDER; index += 1) await writeFile(join(filesets, "flat", `${index}.json`), "{}")
  const found = [await firstPage(subject, "flat", `${formatCount(IN_ONE_FOLDER)} files in one folder`)]
  let written = 0
  for (const size of IN_FOLDERS.filter((count) => count <= upTo)) {
    if (written === 0) await createFileset(subject.url, "folders")
    seedFiles(join(filesets, "folders"), size, written)
    written = size
    found.push(await firstPage(subject, "folders", `${formatCount(size)} files, 200 a folder`))
  }
  return [...found, ...(await measureBucket(subject))]
}

/** Measures the page of a bucket that has more files than a disk of a bench. */
async function measureBucket(subject: ConsoleSubject): Promise<readonly Measurement[]> {
  const bucket = await startChildServer(fakeServer("generated-bucket"), [JSON.stringify({ keys: IN_A_BUCKET })])
  try {
    await createFakeSecrets(subject.url)
    await createFileset(subject.url, "bucket", fakeBucket(bucket.url))
    const files = `a bucket of ${formatCount(IN_A_BUCKET)} files`
    return [
      await firstPage(subject, "bucket", files),
      await firstPage(subject, "bucket?folder=shard-050/part-02500", `a folder of ${files}`),
    ]
  } finally {
    await bucket.stop()
  }
}

async function firstPage(
  { browser, url, cpuSeconds }: ConsoleSubject,
  fileset: string,
  files: string,
): Promise<Measurement> {
  const before = await cpuSeconds()
  const page = await openPage(browser, `${url}/filesets/default/${fileset}`)
  const ms = await firstRow(page)
  const cpu = (await cpuSeconds()) - before
  await page.close()
  const row = {
    work: `first files of ${files}`,
    does: "Seconds to the first row, which the server has not listed before.",
  }
  return atMost(row, ms / 1000, 1, `s; ${cpu.toFixed(2)} s of CPU`)
}
