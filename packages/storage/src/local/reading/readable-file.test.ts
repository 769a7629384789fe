import { fstatSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { makeTestFolder } from "../../testing/make-test-folder.ts"
import { readableFile } from "./readable-file.ts"

async function openTestFile() {
  const path = join(await makeTestFolder(), "file")
  writeFileSync(path, "0123456789")
  return readableFile(openSync(path, "r"))
}
const isOpen = (fd: number) => {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

it("readableFile reads at positions, and 0 bytes at the end", async () => {
  const file = await openTestFile()
  const into = Buffer.alloc(4)
  expect([await file.read(into, 3), into.toString()]).toEqual([4, "3456"])
  expect(await file.read(into, 10)).toBe(0)
  file.close()
})

it("readableFile closes only after the reads in progress, and once", async () => {
  const file = await openTestFile()
  const into = Buffer.alloc(10)
  const reads = [file.read(into, 0), file.read(Buffer.alloc(10), 0)]
  file.close()
  expect(isOpen(file.fd)).toBe(true)
  expect(await Promise.all(reads)).toEqual([10, 10])
  expect([into.toString(), isOpen(file.fd)]).toEqual(["0123456789", false])
  file.close()
  await expect(file.read(into, 0)).rejects.toMatchObject({ code: "EBADF" })
})
