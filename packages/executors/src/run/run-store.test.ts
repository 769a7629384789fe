import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openRunStore, readJson, runFiles, writeJson } from "./run-store.ts"

it("a run is written beside the temporary files of processes that were killed", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-store-"))
  mkdirSync(join(folder.path, "progress"))
  // Every second name of a process that counts its files.
  for (let number = 0; number < 20; number += 2)
    writeFileSync(join(folder.path, "progress", `.assay-tmp-${number}`), "")
  const openRemote = () => {
    throw new Error("A folder is not remote.")
  }
  const store = await openRunStore(folder.path, { cwd: "/", env: {}, randomBytes, openRemote })
  for (const processed of [1, 2, 3]) {
    await writeJson(store, runFiles.progress(0), { processed })
    expect(await readJson(store, runFiles.progress(0))).toEqual({ processed })
  }
})
