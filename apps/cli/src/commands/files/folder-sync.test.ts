import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ODD_FILES } from "../../testing/odd-names.ts"
import { readTree } from "../../testing/read-tree.ts"
import { runCommand, type RunOptions, type RunResult } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let folder: TemporaryFolder
beforeEach(() => {
  folder = makeTemporaryFolder()
  mkdirSync(join(folder.path, "a"))
})
afterEach(() => folder[Symbol.dispose]())

function sync(words: readonly string[] = [], options: RunOptions = {}): Promise<RunResult> {
  const env = { XDG_CACHE_HOME: join(folder.path, "cache") }
  return runCommand(["sync", "./a", "./b", ...words], { cwd: folder.path, env, ...options })
}

const inside = (...names: string[]): string => join(folder.path, ...names)

describe("assay sync with two folders", () => {
  it("copies every file byte by byte, with any name", verifies("cli.sync"), async () => {
    for (const [name, content] of Object.entries(ODD_FILES)) folder.write(`a/${name}`, content)
    folder.write("a/large.bin", Buffer.alloc(3_000_000, "0123456789abcdefg"))
    const { exitCode, stderr } = await sync()
    expect(stderr).toMatch(
      new RegExp(`^synced ${Object.keys(ODD_FILES).length + 1} files \\(2\\.9 MiB\\) to \\./b, in `),
    )
    expect(exitCode).toBe(0)
    expect(readTree(inside("b"))).toEqual(readTree(inside("a")))
  })

  it(
    "moves no file twice, and moves a file again if it changed at the same size",
    verifies("cli.transfer.only-changes"),
    async () => {
      folder.write("a/same", "same")
      folder.write("a/other", "before")
      await sync()
      const inode = statSync(inside("b/same")).ino
      folder.write("a/other", "after!")
      const second = await sync(["--json"])
      expect(JSON.parse(second.stdout)).toMatchObject({ files: 1, bytes: 6, unchanged: 1 })
      expect(readFileSync(inside("b/other"), "utf8")).toBe("after!")
      expect(statSync(inside("b/same")).ino).toBe(inode)
      const third = await sync(["--json"])
      expect(JSON.parse(third.stdout)).toMatchObject({ files: 0, bytes: 0, unchanged: 2 })
    },
  )

  it("notices a change that keeps size and modification time", async () => {
    folder.write("a/file", "before")
    const past = new Date("2020-01-01")
    utimesSync(inside("a/file"), past, past)
    // Wait until the change is old enough that its digest is kept.
    const later = { now: () => Date.now() + 60_000 }
    await sync([], later)
    await sync([], later)
    writeFileSync(inside("a/file"), "after!")
    utimesSync(inside("a/file"), past, past)
    await sync([], later)
    expect(readFileSync(inside("b/file"), "utf8")).toBe("after!")
  })

  it("keeps files that only the target has, and deletes them with --delete", verifies("cli.sync.delete"), async () => {
    folder.write("a/file", "x")
    folder.write("b/extra/deep/file", "y")
    folder.write("b/other", "z")
    expect((await sync()).exitCode).toBe(0)
    expect(existsSync(inside("b/extra/deep/file"))).toBe(true)
    const { stderr } = await sync(["--delete"])
    expect(stderr).toContain("2 deleted")
    expect(readdirSync(inside("b"))).toEqual(["file"])
  })

  it("with --delete replaces a file by a folder of the same name, and the reverse", async () => {
    folder.write("a/one", "file now")
    folder.write("a/two/file", "folder now")
    folder.write("b/one/file", "folder before")
    folder.write("b/two", "file before")
    const { exitCode } = await sync(["--delete"])
    expect(exitCode).toBe(0)
    expect(readTree(inside("b"))).toEqual(readTree(inside("a")))
  })

  it("reports a file that is where a folder is needed, and moves the other files", async () => {
    folder.write("a/one/file", "x")
    folder.write("a/two", "y")
    folder.write("b/one", "in the way")
    const { exitCode, stderr, stdout } = await sync(["--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "transfer_incomplete" } })
    expect(JSON.parse(stdout)).toMatchObject({
      files: 1,
      failed_count: 1,
      failed: [{ path: "one/file", code: "path_conflict" }],
    })
    expect(readFileSync(inside("b/two"), "utf8")).toBe("y")
    expect(readFileSync(inside("b/one"), "utf8")).toBe("in the way")
  })

  it("in a dry run prints what it would do, and changes nothing", async () => {
    folder.write("a/new", "x")
    folder.write("a/changed", "longer")
    folder.write("b/changed", "short")
    folder.write("b/extra", "y")
    const before = readTree(inside("b"))
    const { stdout, stderr } = await sync(["--delete", "--dry-run"])
    expect(stdout).toBe("changed  changed\nnew      new\ndelete   extra\n")
    expect(stderr).toMatch(/^would sync 2 files/)
    expect(readTree(inside("b"))).toEqual(before)
    const { stdout: json } = await sync(["--delete", "--dry-run", "--json"])
    expect(JSON.parse(json)).toMatchObject({
      dry_run: true,
      files: 2,
      deleted: 1,
      actions: [{ action: "changed", path: "changed" }, {}, {}],
    })
  })

  it("in a dry run does not create a missing target", async () => {
    folder.write("a/new", "x")
    expect((await sync(["--dry-run"])).stdout).toBe("new      new\n")
    expect(existsSync(inside("b"))).toBe(false)
  })

  it("keeps the permissions of a file that it replaces", async () => {
    folder.write("a/script", "new")
    folder.write("b/script", "older")
    chmodSync(inside("b/script"), 0o777)
    await sync()
    expect(statSync(inside("b/script")).mode & 0o777).toBe(0o777)
  })

  it("refuses two folders if one contains the other, and a source that does not exist", async () => {
    folder.write("a/file", "x")
    expect((await runCommand(["sync", ".", "./a"], { cwd: folder.path })).stderr).toContain("contains the other")
    expect((await runCommand(["sync", "./nowhere", "./b"], { cwd: folder.path })).stderr).toContain(
      "it does not exist (ENOENT)",
    )
  })
})

describe("links and special files", () => {
  it(
    "are followed inside the folder, and otherwise skipped with a warning and a count",
    verifies("cli.push.links"),
    async () => {
      folder.write("secret", "outside")
      folder.write("a/real/file", "inside")
      symlinkSync("real/file", inside("a/link"))
      symlinkSync("real", inside("a/folder-link"))
      symlinkSync("../secret", inside("a/out"))
      symlinkSync("/etc", inside("a/etc"))
      symlinkSync("nowhere", inside("a/broken"))
      symlinkSync("..", inside("a/real/up"))
      execFileSync("mkfifo", [inside("a/fifo")])
      const { exitCode, stderr, stdout } = await sync(["--json"])
      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout).skipped_counts).toEqual({
        "link outside": 2,
        "broken link": 1,
        // One copy at its own path and one at the path through the link.
        "link loop": 2,
        "special file": 1,
      })
      expect(stderr).toBe("")
      const { stderr: listed } = await sync()
      for (const path of ["out", "etc", "broken", "fifo", "real/up"]) expect(listed).toContain(`skipped  ${path}: `)
      expect(listed).toContain("2 skipped (link outside)")
      expect(Object.keys(readTree(inside("b")))).toEqual(["folder-link/file", "link", "real/file"])
    },
  )

  it("are never written through if they lead out of the target", async () => {
    mkdirSync(inside("elsewhere"))
    mkdirSync(inside("b"))
    symlinkSync(inside("elsewhere"), inside("b/folder"))
    folder.write("a/folder/file", "x")
    const { exitCode, stdout } = await sync(["--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout).failed).toMatchObject([{ path: "folder/file", code: "bad_path" }])
    expect(readdirSync(inside("elsewhere"))).toEqual([])
  })

  it("are replaced, not followed, if a file has their name", async () => {
    folder.write("elsewhere", "untouched")
    mkdirSync(inside("b"))
    symlinkSync(inside("elsewhere"), inside("b/file"))
    folder.write("a/file", "new")
    expect((await sync()).exitCode).toBe(0)
    expect(readFileSync(inside("elsewhere"), "utf8")).toBe("untouched")
    const { mode } = lstatSync(inside("b/file"))
    expect(mode).toBe(lstatSync(inside("elsewhere")).mode)
  })

  it("never make --delete delete a file that is the target of a link", async () => {
    folder.write("a/real/file", "x")
    folder.write("b/real/file", "x")
    symlinkSync("real", inside("b/link"))
    const { exitCode } = await sync(["--delete"])
    expect(exitCode).toBe(0)
    expect(readFileSync(inside("b/real/file"), "utf8")).toBe("x")
  })

  it("that are skipped keep the file of the same name on the target with --delete", async () => {
    symlinkSync("/etc/hostname", inside("a/out"))
    symlinkSync("/etc", inside("a/out-folder"))
    folder.write("b/out", "sent when it was a file")
    folder.write("b/out-folder/file", "sent when it was a folder")
    await sync(["--delete"])
    expect(Object.keys(readTree(inside("b")))).toEqual(["out", "out-folder/file"])
  })
})

describe("a file name that no fileset accepts", () => {
  it("is reported if it is not UTF-8, and the other files are moved", async () => {
    folder.write("a/good", "x")
    writeFileSync(Buffer.concat([Buffer.from(`${inside("a")}/bad-`), Buffer.from([0xff, 0xfe])]), "y")
    const { exitCode, stdout } = await sync(["--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ files: 1, failed_count: 1, failed: [{ code: "bad_path" }] })
  })
})
