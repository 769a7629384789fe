import { createHash } from "node:crypto"
import { compareCodePoints, parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Database } from "@assay/database"
import { nodesIn, type NodesPage, type TreeNode, type TreePosition } from "../tree-nodes.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { filesOf } from "../../testing/files-of-revision.ts"
import { createTestRegistry, type TestRegistry } from "../../testing/test-registry.ts"
import { findFile, findFolder } from "../ordered-files.ts"
import type { Revision } from "../revisions.ts"
import type { RevisionFile } from "../revision-file.ts"
import { createStoredRevisions, type StoredRevisions } from "../stored-revisions.ts"
import type { PieceSizes } from "./cut-pieces.ts"

const SIZES: PieceSizes = { minFiles: 2, maxFiles: 12, oneIn: 4, maxText: 400 }
const DAY_MS = 86_400_000

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Files of these paths. Some were listed without a digest. */
function listing(paths: Iterable<string>): readonly RevisionFile[] {
  return [...paths].toSorted(compareCodePoints).map((path) => {
    const digest = sha256(path) < "4" ? null : sha256(`content of ${path}`)
    return {
      path: parseFilePath(path),
      size: path.length,
      version: digest === null ? path : `"${digest}"`,
      sha256: digest,
    }
  })
}

/** Paths whose folders begin and end in the middle of pieces. */
const PATHS = Array.from({ length: 300 }, (_, index) => {
  const [a, b] = [Math.floor(index / 70), Math.floor(index / 9)]
  return index % 5 === 0 ? `top-${index}` : `folder${a}/sub-${b}/deep/${index}`
})

describe.each(DATABASE_KINDS)("revisions in pieces on %s", (kind) => {
  let test: TestRegistry
  let database: Database
  let fileset: string
  let time: number
  let pieced: StoredRevisions
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    database = await test.openTables()
    fileset = (await test.registry.filesets.create("default", { name: "set" })).id
    time = 1000
    pieced = openStored(20)
  })
  afterEach(() => test.remove())

  const openStored = (maxWhole: number) => createStoredRevisions(database, () => time, { maxWhole, pieces: SIZES })
  const record = (stored: StoredRevisions, files: readonly RevisionFile[]) =>
    stored.record(
      fileset,
      (async function* () {
        for (let start = 0; start < files.length; start += 7) yield files.slice(start, start + 7)
      })(),
    )
  const digestsOf = async (table: "file_pieces" | "file_piece_uses") => {
    const rows = await database.read((queries) => queries.selectFrom(table).select("digest").execute())
    return new Set(rows.map(({ digest }) => digest))
  }

  it("have the ids, pages and files of revisions in memory", verifies("hub.many-files"), async () => {
    const names = fc.stringMatching(/^[a-c.]{1,2}$/).filter((name) => !/^\.+$/.test(name))
    const path = fc.array(names, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join("/")}x`)
    const paths = fc.uniqueArray(path, { minLength: 21, maxLength: 120 })
    await fc.assert(
      fc.asyncProperty(paths, fc.integer({ min: 1, max: 40 }), async (some, limit) => {
        const files = listing(some)
        const whole = await record(openStored(1000), files)
        await database.write((queries) => queries.deleteFrom("file_trees").execute())
        const inPieces = await record(openStored(20), files)
        expect(inPieces.commit).toBe(whole.commit)
        for (const revision of [inPieces, await openStored(20).get(fileset, whole.commit)]) {
          if (revision === undefined) throw new Error("The revision is not stored.")
          expect(revision.files.held).toBeLessThan(files.length)
          expect(await show(revision, limit)).toEqual(await show(whole, limit))
          expect(await filesOf(revision)).toEqual(files)
        }
        for (const { path } of files) expect(await findFile(inPieces.files, path)).toMatchObject({ path })
      }),
      { numRuns: kind === "sqlite" ? 60 : 8 },
    )
  })

  it("find files by their content", async () => {
    const revision = await record(pieced, listing(PATHS))
    for (const [index, file] of (await filesOf(revision)).entries()) {
      if (file.sha256 === null || index % 7 > 0) continue
      expect(await revision.files.withDigests(new Set([file.sha256]))).toEqual([file])
    }
    const known = listing(PATHS).filter((file) => file.sha256 !== null)
    const digests = known.map((file) => file.sha256 ?? "")
    expect(await revision.files.withDigests(new Set(digests))).toEqual(known)
    expect(await revision.files.withDigests(new Set([sha256("unknown")]))).toEqual([])
  })

  it("share pieces, and a changed file changes few of them", verifies("revisions.shared-pieces"), async () => {
    const first = await record(pieced, listing(PATHS))
    const before = await digestsOf("file_pieces")
    expect(before.size).toBeGreaterThan(20)
    const again = await record(pieced, listing(PATHS))
    expect(again).toBe(first)
    time += DAY_MS + 1
    const second = await record(pieced, listing([...PATHS, "folder1/sub-12/new"]))
    expect(second.commit).not.toBe(first.commit)
    const after = await digestsOf("file_pieces")
    expect(after.size - before.size).toBeGreaterThan(0)
    expect(after.size - before.size).toBeLessThan(before.size / 3)
    expect(await filesOf((await openStored(20).get(fileset, first.commit)) ?? second)).toEqual(listing(PATHS))
  })

  it(
    "keep their pieces until no revision has them and a day has passed",
    verifies("revisions.pieces-removed"),
    async () => {
      await record(pieced, listing(PATHS))
      const old = await digestsOf("file_pieces")
      for (let count = 0; count < 100; count += 1) await record(pieced, listing(["a", String(count)]))
      expect(await digestsOf("file_piece_uses")).toEqual(new Set())
      expect(await digestsOf("file_pieces")).toEqual(old)
      time += DAY_MS + 1
      await record(pieced, listing(["b"]))
      expect(await digestsOf("file_pieces")).toEqual(new Set())
    },
  )

  it("are removed with their fileset", verifies("revisions.pieces-removed"), async () => {
    await record(pieced, listing(PATHS))
    await test.registry.filesets.remove("default", "set")
    await expect.poll(() => digestsOf("file_pieces")).toEqual(new Set())
    expect(await digestsOf("file_piece_uses")).toEqual(new Set())
  })

  it("are not read as an empty list by servers that know no pieces", async () => {
    await record(pieced, listing(PATHS))
    const rows = await database.read((queries) => queries.selectFrom("file_trees").select("files").execute())
    expect(Buffer.from(rows[0]?.files ?? "").subarray(0, 2)).not.toEqual(Buffer.from([0x1f, 0x8b]))
  })
})

/** Lists a revision in pages, all levels and each folder, with the ids of folders. */
async function show({ files }: Revision, limit: number): Promise<string[]> {
  const shown: string[] = []
  const nameOf = async (node: TreeNode) => {
    if ("file" in node) return node.file.path
    const { path, from, to } = node.folder
    return `${path}/ ${from} ${to} ${(await files.folderIds([node.folder])).get(path)}`
  }
  for (const [path, recursive] of [
    ["", true],
    ["", false],
    ["a", false],
    ["b/c", true],
  ] as const) {
    const within = await findFolder(files, path)
    if (within === undefined) continue
    let start: TreePosition | undefined = { index: 0, skip: 0 }
    while (start !== undefined) {
      const page: NodesPage = await nodesIn(files, within, { recursive, start, limit })
      for (const node of page.nodes) shown.push(await nameOf(node))
      start = page.next
    }
  }
  return shown
}
