import { spawnSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, readAll, writeAll } from "../testing/ask.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { openLocalStorage } from "./open.ts"

async function listenOn(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
}

describe("pipes and sockets in local storage", () => {
  it("are never opened, listed, replaced or deleted", async () => {
    const root = await makeTestFolder()
    expect(spawnSync("mkfifo", [join(root, "pipe")]).status).toBe(0)
    await listenOn(join(root, "socket"))
    const storage = openLocalStorage({ type: "local", path: root })
    await writeAll(storage, "file", sampleBytes(3))
    for (const path of ["pipe", "socket"]) {
      expect(await codeOf(storage.stat(parseFilePath(path)))).toBe("not_found")
      expect(await codeOf(readAll(storage, path))).toBe("not_found")
      expect(await codeOf(writeAll(storage, path, sampleBytes(3)))).toBe("path_conflict")
      await storage.delete(parseFilePath(path))
      expect(await codeOf(writeAll(storage, path, sampleBytes(3)))).toBe("path_conflict")
    }
    expect(await listPaths(storage)).toEqual(["file"])
  })
})

describe("files and folders with conflicting names", () => {
  it("are a path_conflict", verifies("files.path.conflict"), async () => {
    const root = await makeTestFolder()
    const storage = openLocalStorage({ type: "local", path: root })
    await writeAll(storage, "folder/file", sampleBytes(3))
    expect(await codeOf(writeAll(storage, "folder", sampleBytes(3)))).toBe("path_conflict")
    expect(await codeOf(writeAll(storage, "folder/file/below", sampleBytes(3)))).toBe("path_conflict")
    expect(await codeOf(writeAll(storage, "folder/file/remote/below", sampleBytes(3)))).toBe("path_conflict")
    expect(await listPaths(storage)).toEqual(["folder/file"])
  })

  it("are a path_conflict if a file takes the place of the root", async () => {
    const folder = await makeTestFolder()
    await writeFile(join(folder, "file"), "")
    const storage = openLocalStorage({ type: "local", path: join(folder, "file/root") })
    expect(await codeOf(writeAll(storage, "a", sampleBytes(3)))).toBe("path_conflict")
    expect(await codeOf(readAll(storage, "a"))).toBe("not_found")
    expect(await listPaths(storage)).toEqual([])
  })
})

describe("names that are not valid paths", () => {
  it("are left out of listings", async () => {
    const root = await makeTestFolder()
    await mkdir(join(root, "line\nbreak"))
    await writeFile(join(root, "line\nbreak/file"), "")
    await writeFile(join(root, "back\\slash"), "")
    await writeFile(Buffer.concat([Buffer.from(`${root}/broken-`), Buffer.from([0xff])]), "")
    await writeFile(join(root, "file"), "")
    expect(await listPaths(openLocalStorage({ type: "local", path: root }))).toEqual(["file"])
  })
})
