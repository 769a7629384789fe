import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { FileList } from "@assay/schemas"
import { parseFilePath, type Storage } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { bytesOf } from "../testing/bytes.ts"
import { browseFiles } from "./browse-files.ts"

const PATHS = [
  "a.txt",
  "a-b/1.txt",
  "a/1.txt",
  "a/2.txt",
  "a/deep/3.txt",
  "a0",
  "b/\u{10FFFF}late.txt",
  "b/x/y/z.txt",
  "Cafe\u0301/Menü.txt",
  "ΟΔΟΣ.txt",
  ...Array.from({ length: 12 }, (_, at) => `many/${at}.txt`),
  "rtl-\u202Egnp.exe",
  "z.txt",
]

describe("browsing the files of a fileset", () => {
  let test: TestRegistry
  let storage: Storage
  beforeAll(async () => {
    test = await createTestRegistry("sqlite")
    const { filesets, files } = test.registry
    await filesets.create("default", { name: "set" })
    for (const path of PATHS) await files.write("default", "set", parseFilePath(path), bytesOf("ab"))
    storage = await files.open("default", "set")
  })
  afterAll(() => test.remove())

  /** Reads all pages. */
  const browse = async (query: object, maxLookedAt: number, from = storage) => {
    const fileset = { id: "fileset-1", workspace: "default", name: "set" }
    const pages: FileList[] = []
    let page_token: string | undefined
    do {
      const browsed = {
        storage: from,
        fileset,
        inTurns: <Entry>(entries: AsyncIterable<Entry>) => entries,
        maxLookedAt,
      }
      const page = await browseFiles(browsed, { ...query, page_token })
      pages.push(page)
      page_token = page.next_page_token
    } while (page_token !== undefined && pages.length < 100)
    return pages
  }

  it.each([1, 2, 3, 50])(
    "names each folder and file of a level once, with pages of %i entries",
    verifies("files.list.level"),
    async (limit) => {
      for (const path of ["", "a", "a/", "b/", "many", "gone", "a/deep/"]) {
        const folder = path === "" || path.endsWith("/") ? path : `${path}/`
        const below = PATHS.filter((one) => one.startsWith(folder)).map((one) => one.slice(folder.length))
        const names = [
          ...new Set(below.filter((one) => one.includes("/")).map((one) => `${one.split("/")[0]}/`)),
        ].toSorted()
        const counted = names.map((name) => below.filter((one) => one.startsWith(name)).length)
        for (const max of [1, 3, 11, 1000]) {
          const { level, ...without } = storage
          expect(level).toBeDefined()
          const pages = await browse({ path, recursive: false, limit }, max, without)
          const folders = pages.flatMap((page) => page.folders ?? [])
          expect(folders).toEqual(
            names.map((name, at) => {
              const files = (counted[at] ?? 0) > max ? null : (counted[at] ?? 0)
              return { path: folder + name, files, bytes: files === null ? null : files * 2 }
            }),
          )
          const files = pages.flatMap(({ data }) => data.map((file) => file.path))
          expect(files.toSorted()).toEqual(
            below
              .filter((one) => !one.includes("/"))
              .map((one) => folder + one)
              .toSorted(),
          )
        }
      }
    },
  )

  it.each([1, 2, 3, 50])(
    "names the folders of a level without all their files, with pages of %i entries",
    verifies("files.list.level"),
    async (limit) => {
      for (const max of [1, 3, 11, 1000]) {
        const pages = await browse({ recursive: false, limit }, max)
        const folders = pages.flatMap((page) => page.folders ?? [])
        expect(folders.map(({ path }) => path)).toEqual(["Cafe\u0301/", "a-b/", "a/", "b/", "many/"])
        const counts = [1, 1, 3, 2, 12]
        for (const [at, { files, bytes }] of folders.entries()) {
          if (files === null) expect(bytes).toBeNull()
          else expect([files, bytes]).toEqual([counts[at], 2 * (counts[at] ?? 0)])
        }
        if (max === 1000) expect(folders.map(({ files }) => files)).toEqual(counts)
        // The first folder of each page is counted if it has few files.
        if (limit === 1) expect(folders.map(({ files }) => files)).toEqual(counts.map((n) => (n > max ? null : n)))
        expect(pages.flatMap(({ data }) => data.map(({ path }) => path))).toEqual([
          "a.txt",
          "a0",
          "rtl-\u202Egnp.exe",
          "z.txt",
          "ΟΔΟΣ.txt",
        ])
      }
      expect(await browse({ path: "gone", recursive: false, limit }, 10)).toEqual([{ data: [], folders: [] }])
    },
  )

  it("leaves out a folder without a file", async () => {
    const { path } = (await test.registry.filesets.get("default", "set")).storage as { readonly path: string }
    const inside = join(path, "b", "empty", "deep")
    mkdirSync(inside, { recursive: true })
    const [page] = await browse({ path: "b/", recursive: false }, 100)
    expect(page?.folders?.map(({ path }) => path)).toEqual(["b/x/"])
    rmSync(join(inside, ".."), { recursive: true })
  })

  it("finds files by a part of their paths, whatever its case and form", verifies("files.list.contains"), async () => {
    const find = async (query: object, max = 1000) =>
      (await browse(query, max)).flatMap(({ data }) => data.map(({ path }) => path))
    expect(await find({ contains: "CAFÉ" })).toEqual(["Cafe\u0301/Menü.txt"])
    expect(await find({ contains: "menü" })).toEqual(["Cafe\u0301/Menü.txt"])
    expect(await find({ contains: "/1" })).toEqual(["a-b/1.txt", "a/1.txt", "many/1.txt", "many/10.txt", "many/11.txt"])
    expect(await find({ contains: "1", path: "a/" })).toEqual(["a/1.txt"])
    expect(await find({ contains: "z.txt", limit: 1 }, 2)).toEqual(["b/x/y/z.txt", "z.txt"])
    expect(await find({ contains: "nowhere" }, 4)).toEqual([])
    const looked = (await browse({ contains: "nowhere" }, 4)).map(({ searched = Number.NaN }) => searched)
    expect([looked.slice(0, 2), looked.reduce((sum, count) => sum + count)]).toEqual([[4, 4], 24])
    // The small form of the last letter depends on what follows it.
    expect(await find({ contains: "ΟΔΟΣ" })).toEqual(["ΟΔΟΣ.txt"])
    expect(await find({ contains: "οδος" })).toEqual(["ΟΔΟΣ.txt"])
    // As lists show the path, and as it is.
    expect(await find({ contains: "rtl-⟨U+202E⟩gnp" })).toEqual(["rtl-\u202Egnp.exe"])
    expect(await find({ contains: "\u202Egnp" })).toEqual(["rtl-\u202Egnp.exe"])
    await expect(find({ contains: "1", recursive: false })).rejects.toMatchObject({ code: "invalid_request" })
  })
})
