import { open, realpath, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeTestFolder } from "../../testing/make-test-folder.ts"
import { realPathOf } from "./metadata-calls.ts"

describe("realPathOf", () => {
  it("returns the path of an open file with links resolved, and a path that leads to it", async () => {
    const folder = await makeTestFolder()
    await writeFile(join(folder, "file"), "")
    await symlink("file", join(folder, "link"))
    const handle = await open(join(folder, "link"))
    const { real, steady } = await realPathOf(handle, join(folder, "link"))
    expect(real).toBe(join(folder, "file"))
    expect(await realpath(steady)).toBe(real)
    await handle.close()
  })

  it("falls back to the given path if the system does not know the handle", async () => {
    const folder = await makeTestFolder()
    await symlink(".", join(folder, "link"))
    expect(await realPathOf({ fd: 1_000_000 }, join(folder, "link"))).toEqual({ real: folder, steady: folder })
  })
})
