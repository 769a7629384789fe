import { createHash } from "node:crypto"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { FileListQuery } from "./files.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

describe.each(DATABASE_KINDS)("files on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    await registry.filesets.create("default", { name: "set" })
  })
  afterEach(() => test.remove())

  const write = (path: string, text: string) =>
    registry.files.write("default", "set", parseFilePath(path), bytesOf(text))
  const folder = () => join(test.folder, "storage/filesets/default/set")

  it(
    "can be written, described, read and removed",
    verifies(
      "files.shape.fields",
      "files.shape.file-url",
      "files.shape.file-ref",
      "files.shape.etag-quoted",
      "files.delete.answers-record",
    ),
    async () => {
      const written = await write("a b/ü#.txt", "hello")
      expect(written).toEqual({
        path: "a b/ü#.txt",
        size: 5,
        file_url: "/apis/files/v2/workspaces/default/filesets/set/-/a%20b/%C3%BC%23.txt",
        file_ref: "default/set#a b/ü#.txt",
        cache_status: null,
        etag: `"${sha256("hello")}"`,
        sha256: sha256("hello"),
        updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      })
      expect(await registry.files.stat("default", "set", parseFilePath("a b/ü#.txt"))).toEqual(written)
      const read = await registry.files.read("default", "set", parseFilePath("a b/ü#.txt"), {
        range: { kind: "from", start: 1, end: 2 },
      })
      expect([await textOf(read.bytes), read.range, read.file.sha256]).toEqual([
        "el",
        { start: 1, end: 2 },
        sha256("hello"),
      ])
      expect(await registry.files.remove("default", "set", parseFilePath("a b/ü#.txt"))).toEqual(written)
      expect(await registry.files.list("default", "set", {})).toEqual({ data: [] })
    },
  )

  it(
    "are reported as missing with their address",
    verifies("errors.file-missing", "errors.fileset-missing", "files.path.folder"),
    async () => {
      const noFile = { code: "not_found", message: "File 'a/b' not found in fileset 'default/set'" }
      await expect(registry.files.stat("default", "set", parseFilePath("a/b"))).rejects.toMatchObject(noFile)
      await expect(registry.files.read("default", "set", parseFilePath("a/b"))).rejects.toMatchObject(noFile)
      await expect(registry.files.remove("default", "set", parseFilePath("a/b"))).rejects.toMatchObject(noFile)
      await write("a/b/c", "")
      await expect(registry.files.stat("default", "set", parseFilePath("a/b"))).rejects.toMatchObject(noFile)
      for (const [workspace, name, message] of [
        ["default", "gone", "Fileset 'gone' not found in workspace 'default'"],
        ["nowhere", "set", "Workspace 'nowhere' not found"],
      ] as const) {
        await expect(registry.files.list(workspace, name, {})).rejects.toMatchObject({ code: "not_found", message })
        await expect(registry.files.stat(workspace, name, parseFilePath("a"))).rejects.toMatchObject({
          code: "not_found",
          message,
        })
        await expect(registry.files.write(workspace, name, parseFilePath("a"), bytesOf(""))).rejects.toMatchObject({
          message,
        })
        await expect(registry.files.open(workspace, name)).rejects.toMatchObject({ message })
        await expect(registry.files.openWritable(workspace, name)).rejects.toMatchObject({ message })
      }
    },
  )

  it("are written under the conditions and with the digest of the request", async () => {
    const { etag } = await write("a", "one")
    const ifMatch = async (etag: string) =>
      registry.files.write("default", "set", parseFilePath("a"), bytesOf("two"), { ifMatch: etag })
    await expect(ifMatch('"other"')).rejects.toMatchObject({ code: "precondition_failed" })
    await expect(
      registry.files.write("default", "set", parseFilePath("a"), bytesOf("three"), { sha256: sha256("four") }),
    ).rejects.toMatchObject({ code: "checksum_mismatch" })
    expect((await registry.files.stat("default", "set", parseFilePath("a"))).etag).toBe(etag)
    expect((await ifMatch(etag ?? "")).size).toBe(3)
  })

  it("can be written to local storage", async () => {
    await registry.files.openWritable("default", "set")
    expect((await registry.files.open("default", "set")).capabilities).toMatchObject({ write: true })
  })

  describe("in a listing", () => {
    const paths = ["A", "a/b", "a/c/d", "a-b", "b", "ä", "～", "😀"]
    const inOrder = ["A", "a-b", "a/b", "a/c/d", "b", "ä", "～", "😀"]
    beforeEach(async () => {
      for (const path of paths) await write(path, path)
    })
    const list = (query: FileListQuery) => registry.files.list("default", "set", query)
    const pathsOf = async (query: FileListQuery) => (await list(query)).data.map(({ path }) => path)

    it(
      "are in code-point order, with all their facts",
      verifies("files.list.order", "files.shape.cache-status"),
      async () => {
        expect(await pathsOf({})).toEqual(inOrder)
        const onlyB = await list({ path: "b", include_cache_status: true })
        expect(onlyB).toEqual({
          data: [
            { ...(await registry.files.stat("default", "set", parseFilePath("b"))), cache_status: "not_cacheable" },
          ],
        })
      },
    )

    it(
      "are filtered by a path: the file itself and the files below it",
      verifies("files.list.path", "files.list.no-path", "files.list.trailing-slash"),
      async () => {
        expect(await pathsOf({ path: "a" })).toEqual(["a/b", "a/c/d"])
        expect(await pathsOf({ path: "a/c/" })).toEqual(["a/c/d"])
        expect(await pathsOf({ path: "b/" })).toEqual([])
        expect(await pathsOf({ path: "" })).toEqual(inOrder)
        await expect(list({ path: "../a" })).rejects.toMatchObject({ code: "bad_path" })
      },
    )

    it("come in pages that together contain each of them once", verifies("files.list.pages"), async () => {
      for (const limit of [1, 3, 7, 8, 9]) {
        const seen: string[] = []
        let page_token: string | undefined
        do {
          const page = await list({ limit, ...(page_token === undefined ? {} : { page_token }) })
          expect(page.data.length).toBeLessThanOrEqual(limit)
          seen.push(...page.data.map(({ path }) => path))
          page_token = page.next_page_token
        } while (page_token !== undefined)
        expect(seen).toEqual(inOrder)
      }
    })

    it("are refused for a page token that was changed or is from another listing", async () => {
      const { next_page_token: token = "" } = await list({ limit: 2 })
      const { next_page_token: tokenBelow = "" } = await list({ limit: 1, path: "a" })
      await registry.filesets.create("default", { name: "other" })
      const bad = { code: "bad_page_token" }
      const payload = JSON.parse(Buffer.from(token, "base64url").toString()) as string[]
      const forged = Buffer.from(JSON.stringify(["a", payload[1]])).toString("base64url")
      for (const page_token of ["", "x", token.slice(1), token.slice(0, -2), forged, tokenBelow, "bnVsbA", "WzEsMl0"]) {
        await expect(list({ page_token })).rejects.toMatchObject(bad)
      }
      await expect(list({ path: "a", page_token: token })).rejects.toMatchObject(bad)
      await expect(registry.files.list("default", "other", { page_token: token })).rejects.toMatchObject(bad)
    })
  })

  it(
    "keep their digest after a restart, and lose it if others change them",
    verifies("files.shape.sha256-unknown"),
    async () => {
      await write("kept", "kept")
      await write("changed", "before")
      await writeFile(join(folder(), "changed"), "after")
      const another = await test.openAnother()
      const { data } = await another.files.list("default", "set", {})
      expect(data.map(({ path, sha256 }) => [path, sha256])).toEqual([
        ["changed", null],
        ["kept", sha256("kept")],
      ])
      expect(data[0]?.etag).toMatch(/^"\d+-\d+-\d+"$/)
    },
  )

  it("have no digest left after they were replaced or removed, or their fileset was removed", async () => {
    for (const text of ["a", "b", "c"]) await write("again", text)
    await write("removed", "x")
    await registry.files.remove("default", "set", parseFilePath("removed"))
    const tables = await test.openTables()
    const kept = () => tables.read((queries) => queries.selectFrom("file_digests").selectAll().execute())
    expect((await kept()).map(({ path, sha256 }) => [path, sha256])).toEqual([["again", sha256("c")]])
    await registry.filesets.remove("default", "set")
    await expect.poll(kept).toEqual([])
  })

  it("are all complete and have digests after many concurrent writes", async () => {
    const names = Array.from({ length: 64 }, (_, n) => `f${n % 48}`)
    await Promise.all(names.map((name) => write(name, `content of ${name}`)))
    const { data } = await registry.files.list("default", "set", {})
    expect(data).toHaveLength(48)
    for (const file of data) expect(file.sha256).toBe(sha256(`content of ${file.path}`))
  })

  it("are not in the next fileset of the name if their fileset is removed during the write", async () => {
    async function* removing(): AsyncIterable<Uint8Array> {
      yield Buffer.from("half ")
      await registry.filesets.remove("default", "set")
      yield Buffer.from("done")
    }
    await expect(registry.files.write("default", "set", parseFilePath("a/late.txt"), removing())).rejects.toMatchObject(
      {
        code: "not_found",
        message: "Fileset 'set' not found in workspace 'default'",
      },
    )
    await registry.filesets.create("default", { name: "set" })
    expect(await registry.files.list("default", "set", {})).toEqual({ data: [] })
    await registry.close()
    const left = await readdir(join(test.folder, "storage"), { recursive: true })
    expect(left.filter((name) => name.includes("late") || name.includes("tmp"))).toEqual([])
  })
})
