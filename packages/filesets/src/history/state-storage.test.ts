import { setTimeout } from "node:timers/promises"
import { parseFilePath, type Storage } from "@assay/storage"
import { verifies, bytesOf, textOf } from "@assay/testkit"
import { expect, it } from "vitest"
import { createTestRegistry } from "../testing/test-registry.ts"

const textsOf = async (storage: Storage | undefined) => {
  const texts: unknown[] = []
  if (storage === undefined) return texts
  for await (const { path, size } of storage.list())
    texts.push([path, size, await textOf((await storage.read(path)).bytes)])
  return texts
}

it(
  "The files of a revision are read from where their bytes are, also if they were replaced or deleted since",
  verifies("files.history-rows"),
  async () => {
    // The times of files are those of the machine.
    const test = await createTestRegistry("sqlite", { now: Date.now, history: { days: 30, maxBytes: 1000 } })
    try {
      const { registry } = test
      await registry.filesets.create("default", { name: "rows" })
      const [ada, bob] = [registry.as(() => false, "ada"), registry.as(() => false, "bob")]
      const [a, c] = [parseFilePath("a"), parseFilePath("b/c")]
      await ada.files.write("default", "rows", a, bytesOf("one"))
      await ada.files.write("default", "rows", c, bytesOf("two"))
      // A tick of the clock that gives files their times.
      await setTimeout(20)
      await bob.files.write("default", "rows", a, bytesOf("three"))
      await bob.files.remove("default", "rows", c)
      const { changes } = await ada.history.list("default", "rows", { limit: 10 })
      const open = () => ada.history.open("default", "rows", [changes[1]?.revision, undefined])
      const [old, now] = await open()
      expect([old?.revision, now?.revision]).toEqual([changes[1]?.revision, "now"])
      expect(await textsOf(old?.storage)).toEqual([
        ["a", 3, "one"],
        ["b/c", 3, "two"],
      ])
      expect(await textsOf(now?.storage)).toEqual([["a", 5, "three"]])
      // Past the end of what the path has now.
      const range = { kind: "from", start: 1, end: 1 } as const
      const part = await old?.storage.read(c, { range })
      expect(part && (await textOf(part.bytes))).toBe("w")
      await expect(now?.storage.stat(c)).rejects.toMatchObject({ code: "not_found" })
      await expect(old?.storage.delete(a)).rejects.toMatchObject({ code: "unsupported" })
      await ada.history.purge("default", "rows")
      const [gone] = await open()
      await expect(gone?.storage.read(c)).rejects.toMatchObject({ code: "revision_gone" })
    } finally {
      await test.remove()
    }
  },
)
