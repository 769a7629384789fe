import { compareCodePoints } from "@assay/storage"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pairByPath } from "./pair-by-path.ts"
import type { TransferFile } from "../sides/transfer-side.ts"

async function* list(paths: readonly string[]): AsyncGenerator<TransferFile> {
  for (const path of paths) {
    const nothing = async () => Promise.reject(new Error("not read"))
    yield {
      path,
      size: 0,
      version: "",
      sha256: nothing,
      piece: nothing,
      stream: () => list([]) as AsyncIterable<never>,
    }
  }
}

const paths = fc.uniqueArray(fc.string({ unit: "binary" })).map((some) => some.toSorted(compareCodePoints))

describe("pairByPath", () => {
  it("yields every path once, in order, with the sides that have it", async () => {
    await fc.assert(
      fc.asyncProperty(paths, paths, async (left, right) => {
        const pairs = await Array.fromAsync(pairByPath(list(left), list(right)))
        expect(pairs.map(({ path }) => path)).toEqual([...new Set([...left, ...right])].toSorted(compareCodePoints))
        for (const { path, from, to } of pairs) {
          expect([from?.path, to?.path]).toEqual([
            left.includes(path) ? path : undefined,
            right.includes(path) ? path : undefined,
          ])
        }
      }),
    )
  })

  it("ends both listings if the consumer stops early", async () => {
    const left: string[] = []
    async function* watched(name: string): AsyncGenerator<TransferFile> {
      try {
        yield* list(["a", "b"])
      } finally {
        left.push(name)
      }
    }
    for await (const { path } of pairByPath(watched("from"), watched("to"))) {
      expect(path).toBe("a")
      break
    }
    expect(left.toSorted()).toEqual(["from", "to"])
  })
})
