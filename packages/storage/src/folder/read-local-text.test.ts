import { spawnSync } from "node:child_process"
import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { checkNoLfsPointer, readLocalText } from "./read-local-text.ts"

it("A text is read from a regular file, and a folder or a pipe without a writer is refused at once", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-text-"))
  const file = join(folder.path, "a.txt")
  writeFileSync(file, "text")
  expect(await readLocalText(file)).toBe("text")
  await expect(readLocalText(folder.path)).rejects.toMatchObject({
    code: "path_conflict",
    message: expect.stringContaining("is a folder, and a file is needed here"),
  })
  const pipe = join(folder.path, "pipe")
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0)
  await expect(readLocalText(pipe)).rejects.toMatchObject({
    code: "local_file_failed",
    message: expect.stringContaining("is not a regular file"),
  })
  await checkNoLfsPointer(pipe)
})
