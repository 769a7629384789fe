import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { restoreBackup } from "./restore-backup.ts"
import { formatTarHeader } from "./tar.ts"
import { createTarWriter } from "./tar-writer.ts"

const HEADER = { format: "assay-backup", format_version: 1, created_at: "2026-11-20T00:00:00Z", version: "1.0.0" }

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-hostile-"))
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** Returns an archive with the header of a backup and these entries. */
async function* archiveOf(paths: readonly string[], header: object | string = HEADER): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = []
  const tar = createTarWriter(async (bytes) => void parts.push(bytes))
  const add = (path: string, text: string) =>
    tar.add({ path, size: Buffer.byteLength(text), mtimeNs: 0n, mode: 0o777 }, [Buffer.from(text)])
  await add("assay-backup.json", typeof header === "string" ? header : JSON.stringify(header))
  for (const path of paths) await add(path, "owned")
  await tar.end()
  yield Buffer.concat(parts)
}

const restore = (archive: AsyncIterable<Uint8Array>) =>
  restoreBackup(archive, {
    dataFolder: join(home, "data"),
    force: false,
    now: Date.now,
    signal: new AbortController().signal,
  })

async function expectRefused(archive: AsyncIterable<Uint8Array>, why: RegExp): Promise<void> {
  await expect(restore(archive)).rejects.toMatchObject({ code: "bad_backup", message: expect.stringMatching(why) })
  expect(await readdir(home)).toEqual(["data"])
  expect((await readdir(join(home, "data"))).filter((name) => !name.includes("lock"))).toEqual([])
}

describe("a hostile archive", () => {
  it.each([
    "../escaped",
    "/srv/escaped",
    "storage/filesets/../../../escaped",
    "storage/filesets/default/rows/../../../../../escaped",
    "storage/filesets/default/rows/./a",
    "storage/filesets/default//a",
    "storage/filesets/default/rows/a\\b",
    "storage/.trash/a",
    "server.lock",
    "evaluation/jobs/../../x.jsonl",
    "evaluation/jobs/job/run.sh",
    "encryption-keys/a",
    "./registry.db",
  ])("with the entry %s is refused, and none of its files is left", verifies("operating.restore"), async (path) => {
    await expectRefused(archiveOf([path]), /A backup has no entry/)
  })

  it("with two entries of the same path is refused", verifies("operating.restore"), async () => {
    await expectRefused(archiveOf(["tokens.json", "tokens.json"]), /twice/)
  })

  it("with links is refused", verifies("operating.restore"), async () => {
    for (const type of ["1", "2", "3", "6"]) {
      const header = Buffer.from(formatTarHeader({ path: "tokens.json", size: 0, mtimeNs: 0n, mode: 0o777 }))
      const block = header.subarray(header.length - 512)
      block.write(type, 156)
      block.write("/etc/passwd", 157)
      block.fill(0x20, 148, 156)
      block.write(
        `${block
          .reduce((sum, byte) => sum + byte, 0)
          .toString(8)
          .padStart(6, "0")}\0 `,
        148,
      )
      const archive = Buffer.concat(await Array.fromAsync(archiveOf([])))
      const withLink = Buffer.concat([archive.subarray(0, -1024), header, archive.subarray(-1024)])
      await expectRefused(
        (async function* () {
          yield withLink
        })(),
        /is a link or a device/,
      )
    }
  })

  it.each([
    ["an unknown format", { ...HEADER, format: "other" }],
    ["a later version", { ...HEADER, format_version: 2 }],
    ["no JSON", "PK\u0003\u0004"],
    ["a header that is too large", `"${"x".repeat(2_000_000)}"`],
  ])("with %s is refused", async (_what, header) => {
    await expectRefused(archiveOf([], header), /not an archive of 'assay backup'/)
  })

  it("that is not a tar archive, or has no manifest, is refused", async () => {
    await expectRefused(
      (async function* () {
        yield Buffer.alloc(5000, "no tar at all")
      })(),
      /not an archive of/,
    )
    await expectRefused(archiveOf(["tokens.json"]), /cut short/)
  })
})
