import { readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { failCalls } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { makeTemporaryFolder } from "../testing/temporary-folder.ts"
import { writeFile } from "./write-file.ts"

it("writeFile keeps the report before if the disk is full, and leaves nothing else", async () => {
  const folder = makeTemporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const file = join(folder.path, "new/report.xml")
  await writeFile(file, "before")
  failCalls("rename", "ENOSPC").fail(1)
  await expect(writeFile(file, "after")).rejects.toMatchObject({ code: "disk_full" })
  expect([readFileSync(file, "utf8"), readdirSync(join(folder.path, "new"))]).toEqual(["before", ["report.xml"]])
  await writeFile(file, "after")
  expect(readFileSync(file, "utf8")).toBe("after")
})

it("writeFile writes to the target of a link, which stays a link", async () => {
  const folder = makeTemporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  folder.write("target", "before")
  symlinkSync("target", join(folder.path, "link"))
  await writeFile(join(folder.path, "link"), "after")
  expect(readFileSync(join(folder.path, "target"), "utf8")).toBe("after")
})
