import { createHash, randomBytes, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createTransport, parseFilePath } from "@assay/storage"
import { verifies, watchSyncs, bytesOf, textOf } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openRegistry, type Registry } from "@assay/registry"
import { openFileOutput } from "./backup-output.ts"
import { restoreBackup } from "./restore-backup.ts"
import { createTarWriter } from "./tar-writer.ts"
import { readTar } from "./read-tar.ts"
import { writeBackup } from "./write-backup.ts"

const signal = new AbortController().signal

let home: string
let archive: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-versions-"))
  archive = join(home, "a.tar")
  const dataFolder = join(home, "data")
  await mkdir(dataFolder)
  await withRegistry(dataFolder, async (registry) => {
    const { filesets, files } = registry
    const { id: filesetId } = await filesets.create("default", { name: "rows" })
    await files.write("default", "rows", parseFilePath("a.txt"), bytesOf("alpha"))
    const { uploads } = registry.openUploads({ lifetimeMs: 3_600_000 })
    const target = { workspace: "default", fileset: "rows", filesetId }
    const { record } = await uploads.create(
      { ...target, path: parseFilePath("b"), length: 9, sha256: null },
      async () => {},
    )
    await uploads.append(record.id, { offset: 0, bytes: bytesOf("half") }, async () => {})
  })
  const source = {
    dataFolder,
    database: databaseIn(dataFolder),
    storageFolder: join(dataFolder, "storage"),
    tokensFile: join(dataFolder, "tokens.json"),
    encryptionKeys: () => undefined,
    version: "1.0.0",
    now: Date.now,
  }
  await writeBackup(source, { output: openFileOutput(archive), withKeys: false, signal })
})
afterEach(() => rm(home, { recursive: true, force: true }))

const databaseIn = (dataFolder: string) => ({ kind: "sqlite", file: join(dataFolder, "registry.db") }) as const

async function withRegistry(dataFolder: string, work: (registry: Registry) => Promise<void>): Promise<void> {
  const registry = await openRegistry({
    database: databaseIn(dataFolder),
    defaultStorage: { type: "local", path: join(dataFolder, "storage") },
    allowedLocalRoots: [],
    encryptionKeys: [{ name: "first", key: new Uint8Array(32).fill(1) }],
    now: Date.now,
    newId: (prefix) => `${prefix}-${randomUUID()}`,
    randomBytes,
    transport: createTransport(),
    random: Math.random,
    sleep: async () => {},
  })
  try {
    await work(registry)
  } finally {
    await registry.close()
  }
}

const restore = (dataFolder: string) =>
  restoreBackup(createReadStream(archive), { dataFolder, force: false, now: Date.now, signal })

/** Changes the database in the archive, and its digests accordingly. */
async function changeDatabase(statements: string): Promise<void> {
  const entries = new Map<string, Buffer>()
  for await (const { path, bytes } of readTar(createReadStream(archive))) {
    entries.set(path, Buffer.concat(await Array.fromAsync(bytes, (piece) => Buffer.from(piece))))
  }
  const file = join(home, "changed.db")
  await writeFile(file, entries.get("registry.db") ?? "")
  const database = new DatabaseSync(file)
  database.exec(statements)
  database.close()
  entries.set("registry.db", await readFile(file))
  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")
  const sums = String(entries.get("SHA256SUMS")).replace(
    /^\w+(?= {2}registry\.db$)/m,
    sha256(entries.get("registry.db") ?? Buffer.alloc(0)),
  )
  entries.set("SHA256SUMS", Buffer.from(sums))
  const manifest = JSON.parse(String(entries.get("manifest.json")))
  entries.set("manifest.json", Buffer.from(JSON.stringify({ ...manifest, sums_sha256: sha256(Buffer.from(sums)) })))
  const parts: Uint8Array[] = []
  const tar = createTarWriter(async (bytes) => void parts.push(Buffer.from(bytes)))
  for (const [path, bytes] of entries) await tar.add({ path, size: bytes.length, mtimeNs: 0n, mode: 0o600 }, [bytes])
  await tar.end()
  await writeFile(archive, Buffer.concat(parts))
}

it("a restore has no unfinished uploads, because the backup does not have their bytes", async () => {
  await restore(join(home, "restored"))
  const database = new DatabaseSync(databaseIn(join(home, "restored")).file)
  const counts = ["uploads", "upload_pieces"].map((table) =>
    database.prepare(`select count(*) as n from ${table}`).get(),
  )
  database.close()
  expect(counts).toEqual([{ n: 0 }, { n: 0 }])
})

describe("a backup of another version", () => {
  it("is restored by a later version, which migrates the database", verifies("operating.restore"), async () => {
    // The database before its last migrations.
    await changeDatabase(`delete from kysely_migration where name >= '0013';
      drop trigger filesets_inserted; drop trigger filesets_deleted; drop trigger filesets_described;
      drop table fileset_search_end;
      drop trigger file_digests_inserted; drop trigger file_digests_deleted; drop table fileset_usage;
      drop table audit_records; drop table evaluation_segments; drop table evaluation_shard_rows;
      drop table evaluation_shard_workers; drop table evaluation_shards; drop table evaluation_sharded_jobs;
      drop table upload_pieces; drop table uploads; drop table workspace_usage; drop table workspace_budgets; drop table endpoint_paces;
      drop trigger filesets_leave_records; drop trigger file_digests_have_a_fileset;
      drop trigger content_digests_have_a_fileset; drop trigger file_trees_have_a_fileset; drop table removed_fileset_records;
      drop table file_piece_uses; drop table file_pieces; alter table evaluation_jobs drop column priority;
      alter table evaluation_jobs drop column rescored_from;
      alter table file_trees drop column tree; drop table storage_ids; drop table ended_sessions;
      drop table removed_workspace_usage; drop table webhook_events; drop table webhook_senders;
      drop table trash_entries; drop table kept_files; drop table file_changes; drop table fileset_tags;
      drop table xet_losses; drop table xet_chunks; drop table xet_uses; drop table xet_files; drop table xet_xorbs;
      alter table models drop column described; alter table filesets drop column signature`)
    const syncs = await watchSyncs()
    const { damage } = await restore(join(home, "restored/data"))
    expect(damage).toEqual([])
    // A write of a server waits, without an end, until the disk has its log.
    expect(syncs.paths().filter((path) => path.endsWith("-wal"))).toEqual([])
    await withRegistry(join(home, "restored/data"), async ({ files, filesets }) => {
      const fileset = await filesets.get("default", "rows")
      expect((await filesets.usage([fileset])).get(fileset.id)).toEqual({ files: 1, bytes: 5 })
      expect(await textOf((await files.read("default", "rows", parseFilePath("a.txt"))).bytes)).toBe("alpha")
      const { data } = await files.list("default", "rows", {})
      expect(data[0]?.sha256).toBe(createHash("sha256").update("alpha").digest("hex"))
    })
  })

  it(
    "is refused with the reason if that version is later, and nothing is restored",
    verifies("operating.restore"),
    async () => {
      await changeDatabase(`insert into kysely_migration values ('9999-of-tomorrow', '2030-01-01')`)
      await expect(restore(join(home, "restored"))).rejects.toMatchObject({
        code: "bad_backup",
        message: expect.stringMatching(/schema is that of a later version of Assay/),
      })
      expect((await readdir(join(home, "restored"))).filter((name) => !name.includes("lock"))).toEqual([])
    },
  )
})
