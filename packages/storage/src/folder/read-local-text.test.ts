import { spawnSync } from "node:child_process"
import { closeSync, mkdtempDisposableSync, openSync, writeFileSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { checkNoLfsPointer, readLocalText, readStreamText } from "./read-local-text.ts"

it("A text is read from a regular file, and a folder or a pipe without a writer is refused at once", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-text-"))
  const file = join(folder.path, "a.txt")
  writeFileSync(file, "text")
  expect(await readLocalText(file)).toBe("text")
  await expect(readLocalText(folder.path)).rejects.toMatchObject({
    code: "path_conflict",
    message: expect.stringContaining("is a folder, and a file is needed here"),
    context: { remedy: "Name a file in it." },
  })
  const pipe = join(folder.path, "pipe")
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0)
  await expect(readLocalText(pipe)).rejects.toMatchObject({
    code: "local_file_failed",
    message: expect.stringContaining("is not a regular file"),
  })
  await checkNoLfsPointer(pipe)
})

it("A pipe that the shell has opened is read, and the wait for its writer and for stdin ends with the signal", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-text-"))
  const name = join(folder.path, "pipe")
  expect(spawnSync("mkfifo", [name]).status).toBe(0)
  // Open for both, as the shell holds it.
  const shell = openSync(name, "r+")
  const path = `/dev/fd/${shell}`
  const ending = new AbortController()
  const waits = readLocalText(path, ending.signal)
  ending.abort()
  await expect(waits).rejects.toMatchObject({ name: "AbortError" })
  await expect(readStreamText(new PassThrough(), AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" })
  const writer = openSync(name, "w")
  writeSync(writer, "text")
  const read = readLocalText(path)
  await setImmediate()
  for (const descriptor of [writer, shell]) closeSync(descriptor)
  expect(await read).toBe("text")
})
