import { spawnSync } from "node:child_process"
import { closeSync, constants } from "node:fs"
import { readFile, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { openRegularFile, openRegularFileSync, readRegularFile } from "./regular-file.ts"
import { codeOf } from "./testing/ask.ts"
import { makeTestFolder } from "./testing/make-test-folder.ts"

async function makeSpecialFiles(): Promise<readonly string[]> {
  const folder = await makeTestFolder()
  const pipe = join(folder, "pipe")
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0)
  const socket = join(folder, "socket")
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const link = join(folder, "link")
  await symlink(pipe, link)
  return [pipe, socket, link, "/dev/zero", folder]
}

describe("openRegularFile", () => {
  it(
    "opens no pipe, socket, device or folder, and never waits for one",
    verifies("files.open.regular-only"),
    async () => {
      for (const path of await makeSpecialFiles()) {
        expect(await codeOf(openRegularFile(path)), path).toBe("local_file_failed")
        expect(await codeOf(readRegularFile(path)), path).toBe("local_file_failed")
        expect(() => openRegularFileSync(path), path).toThrow("is not a regular file")
      }
    },
  )

  it(
    "blocks no thread of the process, even if every one is asked to open a pipe",
    verifies("files.open.regular-only"),
    async () => {
      const [pipe = ""] = await makeSpecialFiles()
      const codes = await Promise.all(Array.from({ length: 32 }, () => codeOf(openRegularFile(pipe))))
      expect(new Set(codes)).toEqual(new Set(["local_file_failed"]))
      expect(await readFile(import.meta.filename, "utf8")).toContain("regular-only")
    },
  )

  it("does not open a pipe for writing either", verifies("files.open.regular-only"), async () => {
    const [pipe = ""] = await makeSpecialFiles()
    expect(await codeOf(openRegularFile(pipe, constants.O_WRONLY | constants.O_CREAT))).toBe("local_file_failed")
  })

  it("opens regular files, creates one if the flags say so, and throws the system's error for a missing one", async () => {
    const folder = await makeTestFolder()
    await writeFile(join(folder, "file"), "text")
    expect(await readRegularFile(join(folder, "file"))).toBe("text")
    closeSync(openRegularFileSync(join(folder, "new"), constants.O_WRONLY | constants.O_CREAT))
    expect(await readRegularFile(join(folder, "new"))).toBe("")
    await expect(openRegularFile(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" })
  })
})
