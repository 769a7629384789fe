import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { copyFiles, type CopyOptions, type CopyResult } from "./copy-files.ts"
import type { TransferLocation } from "./locations/transfer-location.ts"

let root: string
let events: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assay-transfer-"))
  events = []
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content: string): void {
  const file = join(root, path)
  mkdirSync(join(file, ".."), { recursive: true })
  writeFileSync(file, content)
}

function location(name: string): TransferLocation {
  return { kind: "local", name: `./${name}`, path: join(root, name) }
}

function copy(options: Partial<CopyOptions> = {}): Promise<CopyResult> {
  return copyFiles({
    from: location("source"),
    to: location("target"),
    parallel: 4,
    dryRun: false,
    delete: false,
    client: () => {
      throw new Error("A copy of folders needs no client.")
    },
    checkRowsOf: () => async () => undefined,
    listener: {
      onOpened: (source, target) => events.push(`opened ${source.name} ${target.name}`),
      onCreated: () => undefined,
      onFound: ({ path }) => events.push(`found ${path}`),
      onAllFound: () => events.push("found all"),
      onBytes: (count) => events.push(`bytes ${count}`),
      onSettled: ({ path }, moved) => events.push(`${moved ? "moved" : "kept"} ${path}`),
      onAction: (action, path) => events.push(`${action} ${path}`),
      onTrouble: (kind, path) => events.push(`${kind} ${path}`),
    },
    cacheFolder: join(root, "cache"),
    now: () => 0,
    random: () => 0,
    sleep: async () => undefined,
    signal: new AbortController().signal,
    ...options,
  })
}

describe("a copy of one folder to another", () => {
  it("moves new and changed files, keeps the rest, and reports each step", async () => {
    write("source/new", "n")
    write("source/same", "s")
    write("source/sub/changed", "after")
    write("target/same", "s")
    write("target/sub/changed", "before")
    const { source, target, report } = await copy({ parallel: 1 })
    expect({ source, target }).toEqual({ source: "./source", target: "./target" })
    expect(report).toMatchObject({ files: 2, bytes: 6, unchanged: 1, deleted: 0, failed_count: 0 })
    expect(readFileSync(join(root, "target/sub/changed"), "utf8")).toBe("after")
    expect(events[0]).toBe("opened ./source ./target")
    expect(events.filter((event) => !event.startsWith("found")).slice(1)).toEqual([
      "new new",
      "bytes 1",
      "moved new",
      "kept same",
      "changed sub/changed",
      "bytes 5",
      "moved sub/changed",
    ])
  })

  it("deletes files that the source does not have only if the option is set", async () => {
    write("source/a", "a")
    write("target/extra", "x")
    expect((await copy()).report.deleted).toBe(0)
    expect((await copy({ delete: true })).report.deleted).toBe(1)
    expect(readdirSync(join(root, "target"))).toEqual(["a"])
  })

  it.each([false, true])(
    "deletes nothing if a file could not be moved, because it can be the same file by another name (dry run: %s)",
    verifies("cli.sync.delete-when-complete"),
    async (dryRun) => {
      write("source/odd\nname", "the only copy")
      write("target/old name", "the only copy")
      const { report } = await copy({ delete: true, dryRun })
      expect(report).toMatchObject({ deleted: 0, not_deleted: 1, failed_count: 1 })
      expect(readdirSync(join(root, "target"))).toEqual(["old name"])
    },
  )

  it("changes nothing in a dry run, and reports what it would do", async () => {
    write("source/a", "a")
    write("target/extra", "x")
    const { report } = await copy({ dryRun: true, delete: true })
    expect(report).toMatchObject({ files: 1, deleted: 1 })
    expect(events).toContain("new a")
    expect(events).toContain("delete extra")
    expect(readdirSync(join(root, "target"))).toEqual(["extra"])
  })

  it("fails if a named selection matches no file", async () => {
    write("source/a", "a")
    const selection = { isSelected: (path: string) => path.endsWith(".csv"), name: "--include '*.csv'" }
    const refused = { code: "not_found", message: "Nothing in ./source matches --include '*.csv'." }
    await expect(copy({ selection })).rejects.toMatchObject(refused)
  })
})
