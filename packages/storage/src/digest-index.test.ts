import { describe, expect, it } from "vitest"
import { createMemoryDigestIndex } from "./digest-index.ts"

const OLD = { path: "a", size: 5, mtimeNs: 1n }
const NEW = { path: "a", size: 5, mtimeNs: 2n }
const OTHER = { path: "b", size: 5, mtimeNs: 1n }

describe("createMemoryDigestIndex", () => {
  it("distinguishes versions and returns digests in the requested order", async () => {
    const index = createMemoryDigestIndex()
    await index.put(OLD, "old")
    await index.put(NEW, "new")
    expect(await index.get(OLD)).toBe("old")
    expect(await index.getMany([NEW, OTHER, OLD])).toEqual(["new", undefined, "old"])
  })

  it("removes all versions of a path except one", async () => {
    const index = createMemoryDigestIndex()
    await index.put(OLD, "old")
    await index.put(NEW, "new")
    await index.put(OTHER, "other")
    await index.forget("a", NEW)
    expect(await index.getMany([OLD, NEW, OTHER])).toEqual([undefined, "new", "other"])
    await index.forget("a")
    expect(await index.getMany([OLD, NEW, OTHER])).toEqual([undefined, undefined, "other"])
  })
})
