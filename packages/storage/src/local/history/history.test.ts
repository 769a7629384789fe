import { spawnSync } from "node:child_process"
import { readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { HISTORY_FOLDER } from "../../file-history.ts"
import { parseFilePath } from "../../file-path.ts"
import { createMemoryHistory } from "../../testing/memory-history.ts"
import { makeTestFolder } from "../../testing/make-test-folder.ts"
import { runStorageScript } from "../../testing/run-storage-script.ts"
import { inPieces } from "../../testing/sample-bytes.ts"
import { openLocalStorage } from "../open.ts"

async function openKeeping(durable = true) {
  const root = await makeTestFolder()
  const history = createMemoryHistory()
  const storage = openLocalStorage({ type: "local", path: root }, { history, durable })
  const write = (path: string, text: string) => storage.write(parseFilePath(path), inPieces(Buffer.from(text)))
  const kept = () => readdir(join(root, HISTORY_FOLDER)).catch(() => [])
  const textOf = (id: string) => readFile(join(root, HISTORY_FOLDER, id), "utf8")
  return { root, history, storage, write, kept, textOf }
}

describe("the history of a local folder", () => {
  it.each([true, false])(
    "keeps what is replaced and deleted, and nothing else (durable: %s)",
    verifies("files.history"),
    async (durable) => {
      const { history, storage, write, kept, textOf } = await openKeeping(durable)
      await write("a/b", "one")
      await write("a/b", "one")
      expect([await kept(), history.added()]).toEqual([[], 1])
      await write("a/b", "two")
      await storage.delete(parseFilePath("a/b"))
      await storage.delete(parseFilePath("a/b"))
      expect((await kept()).length).toBe(2)
      expect(await Promise.all([...history.kept.keys()].map(textOf))).toEqual(["one", "two"])
      expect(Array.from(history.kept.values(), ({ file, isDeleted }) => [file.path, file.size, isDeleted])).toEqual([
        ["a/b", 3, false],
        ["a/b", 3, true],
      ])
      expect(await Array.fromAsync(storage.list())).toEqual([])
      await expect(storage.read(parseFilePath(`${HISTORY_FOLDER}/kept-1`))).rejects.toMatchObject({
        code: "not_found",
      })
      const read = await storage.kept?.read("kept-2", { range: { kind: "from", start: 1, end: 2 } })
      expect(Buffer.concat(await Array.fromAsync(read?.bytes ?? [])).toString()).toBe("wo")
      await expect(storage.kept?.read("../a")).rejects.toMatchObject({ code: "bad_path" })
    },
  )

  it("keeps no file behind a link, and follows no link in the place of its folder", async () => {
    const { root, history, write } = await openKeeping()
    await write("target", "one")
    await symlink("target", join(root, "link"))
    await write("link", "two")
    expect(history.kept.size).toBe(0)
    const outside = await makeTestFolder()
    await symlink(outside, join(root, HISTORY_FOLDER))
    await write("target", "three")
    expect([history.kept.size, await readdir(outside)]).toEqual([0, []])
  })

  it("forgets a version that an undone commit brings back", async () => {
    const { history, storage, write, kept } = await openKeeping()
    await write("a", "one")
    const before = await storage.keep?.(parseFilePath("a"))
    const { sha256 } = await write("a", "two")
    await before?.note(sha256 ?? "")
    await before?.restore()
    await before?.drop()
    expect([history.kept.size, await kept()]).toEqual([0, []])
  })

  it(
    "loses no bytes if the process is killed between any two steps of a write",
    verifies("files.history"),
    async () => {
      const states = {
        linkSync: { present: "one", kept: ["one"] },
        renameSync: { present: "two", kept: ["one"] },
      }
      for (const [call, state] of Object.entries(states)) {
        const root = await makeTestFolder()
        await writeFile(join(root, "file"), "one")
        const { output } = runStorageScript(KILLED, [root, call])
        expect(await output).toBe("")
        const names = await readdir(join(root, HISTORY_FOLDER))
        const kept = await Promise.all(names.map((name) => readFile(join(root, HISTORY_FOLDER, name), "utf8")))
        expect({ present: await readFile(join(root, "file"), "utf8"), kept }).toEqual(state)
      }
    },
  )

  it.runIf(canMount())(
    "gives kept bytes up before a write fails on a full disk",
    verifies("files.history-full-disk"),
    async () => {
      const root = await makeTestFolder()
      const { output } = runStorageScript(FULL, [root], `ROOT='${root}' && export ROOT && ${ON_SMALL_DISK}`)
      expect(JSON.parse(await output)).toEqual({
        answers: ["written", "written", "written", "written", "disk_full"],
        size: 400_000,
        kept: [],
      })
    },
  )
})

/** Kills itself in the middle of a write over a file: after the call of this name. */
const KILLED = `
  const fs = (await import("node:fs")).default
  const { syncBuiltinESMExports } = await import("node:module")
  const [root, call] = process.argv.slice(1)
  let ids = 0
  const history = {
    keep: async () => ({ id: "kept-" + (ids += 1), cancel: async () => {} }),
    settle: async () => {}, noteNew() {}, undoNew() {}, undo: async () => [],
  }
  const storage = openLocalStorage({ type: "local", path: root }, { history })
  const real = fs[call]
  fs[call] = (...parts) => { real(...parts); process.kill(process.pid, "SIGKILL") }
  syncBuiltinESMExports()
  await storage.write(parseFilePath("file"), (async function* () { yield Buffer.from("two") })())
  console.log("not killed")
`

/** Replaces a file until its former versions fill the disk, and then writes one that is too large. */
const FULL = `
  const { readdir, rm } = await import("node:fs/promises")
  const root = process.argv[1]
  const place = root + "/${HISTORY_FOLDER}"
  let ids = 0
  const history = {
    keep: async () => ({ id: "kept-" + (ids += 1), cancel: async () => {} }),
    settle: async () => {}, noteNew() {}, undoNew() {}, undo: async () => [],
  }
  const relieve = async () => {
    const names = await readdir(place)
    for (const name of names) await rm(place + "/" + name)
    return names.length > 0
  }
  const storage = openLocalStorage({ type: "local", path: root, write_buffer_size: 100_000 }, { history, relieve })
  async function* bytes(count, of) { for (let sent = 0; sent < count; sent += 10_000) yield Buffer.alloc(10_000, of) }
  const write = (count, of) => storage.write(parseFilePath("file"), bytes(count, of)).then(() => "written", (error) => error.code)
  const answers = []
  for (let turn = 1; turn <= 4; turn += 1) answers.push(await write(400_000, turn))
  answers.push(await write(5_000_000, 9))
  const { size } = await storage.stat(parseFilePath("file"))
  console.log(JSON.stringify({ answers, size, kept: await readdir(place) }))
`

const ON_SMALL_DISK = `exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=1m none "$ROOT" && exec "$@"' sh "$@"`

function canMount(): boolean {
  return spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0
}
