import { spawnSync } from "node:child_process"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { runStorageScript } from "../testing/run-storage-script.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"

/** Writes an old file, then a file that is too large in its place and in a new folder, and prints the remaining files. */
const OVERFILL = `
  const { readdir } = await import("node:fs/promises")
  const root = process.argv[1]
  const storage = openLocalStorage({ type: "local", path: root, write_buffer_size: 100_000 })
  async function* bytes(count) { for (let sent = 0; sent < count; sent += 10_000) yield Buffer.alloc(10_000, 1) }
  const write = (path, count) => storage.write(parseFilePath(path), bytes(count)).then(() => "written", (error) => error.code)
  const answers = [await write("file", 10_000), await write("file", 5_000_000), await write("a/b/new", 5_000_000)]
  const { size } = await storage.stat(parseFilePath("file"))
  console.log(JSON.stringify({ answers, size, left: await readdir(root, { recursive: true }) }))
`

const EXPECTED = { answers: ["written", "disk_full", "disk_full"], size: 10_000, left: ["file"] }

/** Mounts a file system of 1 MiB in a mount namespace of the script. */
const ON_SMALL_DISK = `exec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=1m none "$ROOT" && exec "$@"' sh "$@"`
/** Some containers do not permit it. */
const canMount =
  spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0

describe("a write to a full disk", () => {
  it(
    "fails with disk_full and leaves nothing behind if files may not grow",
    verifies("files.upload.disk-full"),
    async () => {
      const root = await makeTestFolder()
      const { output } = runStorageScript(OVERFILL, [root], 'ulimit -f 1000 && exec "$@"')
      expect(JSON.parse(await output)).toEqual(EXPECTED)
    },
  )

  it.runIf(canMount)(
    "fails with disk_full and leaves nothing behind on a full file system",
    verifies("files.upload.disk-full"),
    async () => {
      const root = await makeTestFolder()
      const { output } = runStorageScript(OVERFILL, [root], `ROOT='${root}' && export ROOT && ${ON_SMALL_DISK}`)
      expect(JSON.parse(await output)).toEqual(EXPECTED)
    },
  )
})
