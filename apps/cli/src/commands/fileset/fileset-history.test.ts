import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let server: TestServer
let folder: TemporaryFolder
beforeAll(async () => {
  server = await startServer()
  folder = makeTemporaryFolder()
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await server.stop()
})

const assay = (...words: string[]) => {
  const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder.path, "cache") }
  return runCommand(words, { cwd: folder.path, env })
}
const json = async (...words: string[]) => JSON.parse((await assay(...words, "--json")).stdout)

/** Returns a time after the files of a fileset were written, and before what is written next. */
async function momentAfter(fileset: string): Promise<string> {
  const pushed = await json("ls", fileset)
  const times: string[] = pushed.data.map(({ updated_at }: { updated_at: string }) => updated_at)
  // Later than a tick of the clock that gives files their times.
  const moment = new Date(Math.max(...times.map((time) => Date.parse(time))) + 20).toISOString()
  await expect.poll(() => new Date().toISOString() > moment).toBe(true)
  return moment
}

it("assay fileset history, diff and restore undo a wrong sync", verifies("files.history-restore"), async () => {
  folder.write("rows/a.txt", "one")
  folder.write("rows/b.txt", "two")
  await assay("push", "./rows", "reviews")
  const moment = await momentAfter("reviews")
  folder.write("wrong/a.txt", "three")
  await assay("sync", "./wrong", "reviews", "--delete")
  const { stdout: listed } = await assay("fileset", "history", "reviews")
  expect(listed).toMatch(/^REVISION +WHEN +WHO +CHANGED/)
  expect(listed).toMatch(/[0-9a-f]{10} .* local +2 added, 1 replaced, 1 deleted/)
  expect(listed).toContain("2 former versions kept (6 B)")
  expect((await assay("fileset", "history", "reviews", "b.txt")).stdout).toMatch(
    /^b\.txt +3 B .* delete +local .* kept$/m,
  )
  expect((await assay("fileset", "diff", "reviews", moment)).stdout).toBe(
    "~ a.txt  3 B → 5 B\n- b.txt  3 B\n0 added, 1 removed, 1 changed\n",
  )
  const planned = await assay("fileset", "restore", "reviews", moment, "--dry-run")
  expect(planned.stdout).toContain("would restore 2 files; nothing was changed")
  expect((await assay("cat", "reviews#a.txt")).stdout).toBe("three")
  const restored = await assay("fileset", "restore", "reviews", moment)
  expect([restored.exitCode, restored.stdout]).toEqual([
    0,
    expect.stringMatching(/write {3}a\.txt .*\nwrite {3}b\.txt .*\nrestored 2 files as revision/),
  ])
  expect((await assay("cat", "reviews#b.txt")).stdout).toBe("two")
  expect((await assay("fileset", "history", "reviews", "--purge")).stderr).toContain("add --yes")
  expect(await json("fileset", "history", "reviews", "--purge", "--yes")).toEqual({ files: 3, bytes: 11 })
  const gone = await assay(
    "fileset",
    "restore",
    "reviews",
    (await json("fileset", "history", "reviews")).data[1].revision,
  )
  expect([gone.exitCode, gone.stderr]).toEqual([2, expect.stringMatching(/'a\.txt' \(its bytes went on .* purged/)])
})

it(
  "assay fileset diff --rows lists added, removed and changed rows at 80 columns",
  verifies("files.history-rows"),
  async () => {
    const write = (rows: readonly object[]) =>
      folder.write("data/train.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    write([
      { id: 1, text: "a".repeat(200), label: "x" },
      { id: 2, label: "y" },
      { id: 3, label: "z" },
    ])
    folder.write("data/README.md", "one")
    await assay("push", "./data", "labelled")
    const moment = await momentAfter("labelled")
    write([
      { id: 3, label: "z" },
      { label: "X", id: 1, text: "a".repeat(200) },
      { id: 4, label: "w" },
    ])
    folder.write("data/README.md", "two")
    await assay("sync", "./data", "labelled")
    const diff = (...words: string[]) => assay("fileset", "diff", "labelled", moment, ...words)
    expect((await diff("--rows", "--key", "id")).stdout).toBe(
      [
        "train.jsonl",
        '- 1  {"id":2,"label":"y"}',
        "~ 1  (was 0)",
        '    label: "x" → "X"',
        '+ 2  {"id":4,"label":"w"}',
        "1 added, 1 removed, 1 changed, 1 the same",
        "",
      ].join("\n"),
    )
    const { stdout, stderr } = await diff("--rows")
    expect(stdout).toMatch(/^2 added, 2 removed, 1 the same$/m)
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBe(80)
    expect(stderr).toContain("files without rows: README.md")
    const compared = await json("fileset", "diff", "labelled", moment, "--rows", "--key", "id")
    expect(compared).toMatchObject({ files: [{ path: "train.jsonl", changed: 1 }], without_rows: ["README.md"] })
    const limited = await diff("--rows", "--limit", "1")
    expect(limited.stderr).toContain("1 more file differs: raise --limit, or give --path")
    expect((await diff("--key", "id")).stderr).toContain("add --rows")
    expect((await diff("--rows", "--key", "text")).stderr).toMatch(
      /Row 1 of 'train\.jsonl' at \S+ has no value of 'text'/,
    )
  },
)
