import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { expect, it } from "vitest"
import { checkUploads } from "./check-uploads.ts"
import { openUploadStore } from "./upload-store.ts"

it(
  "checkUploads returns the uploads in progress that lost their bytes or their record, and no others",
  verifies("operating.deep-check"),
  async () => {
    const home = await mkdtemp(join(tmpdir(), "assay-uploads-"))
    const folder = join(home, "uploads")
    expect(await checkUploads(home)).toEqual([])
    let ids = 0
    const store = openUploadStore({ folder, lifetimeMs: 60_000, now: () => 0, newId: () => `upload-${"abc"[ids++]}` })
    const upload = {
      workspace: "default",
      fileset: "rows",
      filesetId: "fileset-a",
      path: parseFilePath("a"),
      length: 10,
      sha256: null,
    }
    for (let n = 0; n < 3; n++) await store.create(upload, async () => {})
    expect(await checkUploads(home)).toEqual([])
    await rm(join(folder, "upload-a.bytes"))
    await writeFile(join(folder, "upload-b.json"), "{")
    expect((await readdir(folder)).length).toBe(5)
    expect(await checkUploads(home)).toEqual([
      { kind: "missing", place: join(folder, "upload-a.bytes"), detail: expect.stringContaining("'default/rows#a'") },
      {
        kind: "unreadable",
        place: join(folder, "upload-b.json"),
        detail: expect.stringContaining("delete the record"),
      },
    ])
    await rm(home, { recursive: true })
  },
)
