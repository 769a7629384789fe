import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { verifies, bytesOf } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { parseFilePath } from "./file-path.ts"
import { openLocalStorage } from "./local/open.ts"
import type { Storage } from "./storage.ts"
import { type ChangeFile, undoOnError } from "./undo-on-error.ts"

const completion = "Send the commit again to complete it."

let root: string
let storage: Storage
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "undo-"))
  storage = openLocalStorage({ type: "local", path: root })
  for (const path of ["over", "gone/deep", "folder/x"]) await put(path, `old ${path}`)
})
afterEach(() => rmSync(root, { recursive: true }))

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex")
const put = async (path: string, text: string) => void (await storage.write(parseFilePath(path), bytesOf(text)))
const write = (change: ChangeFile, path: string, text = "new") =>
  change(parseFilePath(path), digestOf(text), () => put(path, text))
const remove = (change: ChangeFile, path: string) =>
  change(parseFilePath(path), undefined, () => storage.delete(parseFilePath(path)))

async function read(): Promise<Readonly<Record<string, unknown>>> {
  const files = await Array.fromAsync(storage.list())
  return Object.fromEntries(files.map(({ path, sha256, updatedAt }) => [path, [sha256, updatedAt]]))
}
const names = () => readdirSync(root, { recursive: true }).map(String).toSorted()

/** Applies a commit that replaces, creates and deletes files, and makes a folder a file. */
async function changeAll(change: ChangeFile): Promise<void> {
  await remove(change, "folder/x")
  await write(change, "over")
  await write(change, "new/deep")
  await write(change, "folder")
  await remove(change, "gone/deep")
}
const fail = () => Promise.reject(new AssayError("disk_full", "The disk is full."))

describe("changes of several files", () => {
  it(
    "are all undone if a later one fails, with the digests and times of the files",
    verifies("hub.commit-undone"),
    async () => {
      const [before, entries] = [await read(), names()]
      const failing = undoOnError(
        storage,
        async (change) => {
          await changeAll(change)
          await change(parseFilePath("last"), digestOf(""), fail)
        },
        { completion },
      )
      await expect(failing).rejects.toMatchObject({ code: "disk_full", message: "The disk is full." })
      expect(await read()).toEqual(before)
      expect(names()).toEqual(entries)
    },
  )

  it("stay if all succeed, and leave no second names and no old digests", async () => {
    await undoOnError(storage, changeAll, { completion })
    expect(names()).toEqual(["folder", "new", "new/deep", "over"])
    await put("over", "old over")
    expect((await read())["over"]).toMatchObject([digestOf("old over"), expect.anything()])
  })

  it("are not undone where another write came after them", async () => {
    const failing = undoOnError(
      storage,
      async (change) => {
        await write(change, "over")
        await write(change, "created")
        await remove(change, "gone/deep")
        for (const path of ["over", "created", "gone/deep"]) await put(path, "answered")
        await fail()
      },
      { completion },
    )
    await expect(failing).rejects.toMatchObject({ code: "disk_full" })
    const after = await read()
    for (const path of ["over", "created", "gone/deep"]) {
      expect(after[path]).toMatchObject([digestOf("answered"), expect.anything()])
    }
  })

  it(
    "are named in the error if they are too many or the storage keeps no former files",
    verifies("hub.commit-undone"),
    async () => {
      const attempt = (kept: Pick<Storage, "keep">, maxChanges?: number) =>
        undoOnError(
          kept,
          async (change) => {
            await changeAll(change)
            await fail()
          },
          maxChanges === undefined ? { completion } : { completion, maxChanges },
        )
      const stays = "5 files have changed already: 'folder/x', 'over'"
      await expect(attempt({}, 2)).rejects.toThrow(`${stays} and 3 more. ${completion}`)
      for (const path of ["over", "gone/deep"]) await put(path, "old")
      await storage.delete(parseFilePath("folder"))
      await expect(attempt(storage, 2)).rejects.toThrow(stays)
      expect(names()).toEqual(["folder", "new", "new/deep", "over"])
    },
  )
})
