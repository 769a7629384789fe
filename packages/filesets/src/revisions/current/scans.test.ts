import { parseFilePath } from "@assay/storage"
import { beforeEach, describe, expect, it } from "vitest"
import { createScans, type Scans } from "./scans.ts"
import { filesInMemory } from "../ordered-files.ts"
import { revisionOf, type Revision } from "../revisions.ts"

describe("scans of a fileset", () => {
  let now: number
  let looks: Scans
  /** The scans that began. The test ends each of them. */
  let begun: PromiseWithResolvers<Revision>[]
  beforeEach(() => {
    now = 0
    looks = createScans(() => now)
    begun = []
    updated = []
  })
  /** Paths with which a revision was updated. */
  let updated: (readonly string[])[]
  const ask = (filesetId = "a", isUpdatable = false) =>
    looks.recent(filesetId, {
      scan() {
        const look = Promise.withResolvers<Revision>()
        begun.push(look)
        return look.promise
      },
      async update({ commit }, paths) {
        updated.push(paths)
        return isUpdatable ? tree(`${commit}+${paths.join("+")}`) : undefined
      },
    })
  const change = (path: string) => looks.changed("a", parseFilePath(path))
  const tree = (commit: string) => revisionOf({ commit, createdAt: 0, title: "" }, filesInMemory([]))
  const end = async (index: number) => {
    begun[index]?.resolve(tree(String(index)))
    // Its callers continue.
    await new Promise(setImmediate)
  }
  const commits = async (...asked: Promise<Revision>[]) => (await Promise.all(asked)).map(({ commit }) => commit)

  it("are shared by concurrent callers, and remembered for a second", async () => {
    const [first, second] = [ask(), ask()]
    await end(0)
    now = 999
    expect(await commits(first, second, ask())).toEqual(["0", "0", "0"])
    now = 1000
    const later = ask()
    await end(1)
    expect(await commits(later)).toEqual(["1"])
  })

  it("that take long are remembered for as long as they took", async () => {
    const slow = ask()
    now = 5000
    await end(0)
    now = 9999
    expect(await commits(slow, ask())).toEqual(["0", "0"])
    now = 10_000
    const later = ask()
    await end(1)
    expect(await commits(later)).toEqual(["1"])
  })

  it("that began before a change are not used after it, and one runs at a time", async () => {
    const before = ask()
    looks.changed("a")
    const [after, alsoAfter] = [ask(), ask()]
    expect(begun).toHaveLength(1)
    await end(0)
    expect(begun).toHaveLength(2)
    const whileLooking = ask()
    await end(1)
    expect(await commits(before, after, alsoAfter, whileLooking, ask())).toEqual(["0", "1", "1", "1", "1"])
    looks.changed("a")
    const anew = ask()
    await end(2)
    expect(await commits(anew)).toEqual(["2"])
  })

  it("do not affect other filesets, and a failure is not remembered", async () => {
    const failing = expect(ask()).rejects.toThrow("gone")
    const other = ask("b")
    begun[0]?.reject(new Error("gone"))
    await failing
    await end(1)
    expect(await commits(other)).toEqual(["1"])
    const again = ask()
    await end(2)
    expect(await commits(again)).toEqual(["2"])
  })

  it("begin after an earlier one that fails", async () => {
    const failing = expect(ask()).rejects.toThrow("gone")
    looks.changed("a")
    const waiting = ask()
    begun[0]?.reject(new Error("gone"))
    await failing
    await end(1)
    expect(await commits(waiting)).toEqual(["1"])
  })

  it("are updated with the paths that have changed, until others' changes must be seen", async () => {
    const first = ask()
    await end(0)
    await first
    change("x")
    change("y")
    change("x")
    now = 999
    expect(await commits(ask("a", true), ask("a", true))).toEqual(["0+x+y", "0+x+y"])
    expect(await commits(ask("a", true))).toEqual(["0+x+y"])
    change("z")
    expect(await commits(ask("a", true))).toEqual(["0+x+y+z"])
    expect(updated).toEqual([["x", "y"], ["z"]])
    change("w")
    now = 1000
    const later = ask("a", true)
    await end(1)
    expect(await commits(later)).toEqual(["1"])
    expect(updated).toHaveLength(2)
  })

  it("begin if a change has no path, if many paths changed, or if there is no update", async () => {
    const all = async (makeChange: () => void, isUpdatable: boolean) => {
      makeChange()
      const asked = ask("a", isUpdatable)
      await new Promise(setImmediate)
      await end(begun.length - 1)
      return asked
    }
    await all(() => {}, true)
    expect(await commits(all(() => (change("x"), looks.changed("a")), true))).toEqual(["1"])
    const many = () => Array.from({ length: 101 }, (_, index) => change(`x-${index}`))
    expect(await commits(all(many, true))).toEqual(["2"])
    expect(updated).toEqual([])
    expect(await commits(all(() => change("x"), false))).toEqual(["3"])
    expect(updated).toEqual([["x"]])
  })

  it("see a change that comes while one of them runs", async () => {
    const first = ask("a", true)
    change("x")
    await end(0)
    expect(await commits(first, ask("a", true))).toEqual(["0", "0+x"])
  })
})
