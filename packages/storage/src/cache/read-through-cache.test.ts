import { describe, expect, it } from "vitest"
import { cutPieces, withFallback } from "./read-through-cache.ts"

async function* broken(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
  throw new Error("broken")
}

async function* whole(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const textOf = async (bytes: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(bytes)).toString()

describe("withFallback", () => {
  it("continues from the second source after the first one failed", async () => {
    const bytes = withFallback(
      broken("ab", "cde"),
      async (read) => whole(`f${read}`),
      () => true,
    )
    expect(await textOf(bytes)).toBe("abcdef5")
  })

  it("continues only once, and only for permitted errors", async () => {
    const twice = withFallback(
      broken("a"),
      async () => broken("b"),
      () => true,
    )
    await expect(textOf(twice)).rejects.toThrow("broken")
    const forbidden = withFallback(
      broken("a"),
      async () => whole("b"),
      () => false,
    )
    await expect(textOf(forbidden)).rejects.toThrow("broken")
  })

  it("ends its current source when the reader stops", async () => {
    const rest = whole("rest")
    const bytes = withFallback(
      broken("a"),
      async () => rest,
      () => true,
    )
    await bytes.next()
    await bytes.next()
    await bytes.return?.()
    expect(await rest.next()).toEqual({ done: true, value: undefined })
  })
})

async function* pieces(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let next = 0
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => next++)
}

describe("cutPieces", () => {
  it("cuts pieces that are too long, and passes on the others unchanged", async () => {
    const { bytes } = cutPieces({ bytes: pieces(3, 7, 0, 4) }, 3, undefined)
    const cut = await Array.fromAsync(bytes)
    expect(cut.map(({ byteLength }) => byteLength)).toEqual([3, 3, 3, 1, 0, 3, 1])
    expect(Buffer.concat(cut)).toEqual(Buffer.from(Array.from({ length: 14 }, (_, index) => index)))
  })

  it("releases only whole pieces, because another part may still be in use", async () => {
    const given: number[] = []
    const release = ({ byteLength }: Uint8Array) => given.push(byteLength)
    const { bytes, release: giveBack } = cutPieces({ bytes: pieces(2, 5, 2), release }, 3, undefined)
    for await (const piece of bytes) giveBack?.(piece)
    expect(given).toEqual([2])
  })

  it("ends its source when the reader stops, and throws the reason of an abort", async () => {
    const source = pieces(9, 9)
    const aborting = new AbortController()
    const reader = cutPieces({ bytes: source }, 3, aborting.signal).bytes[Symbol.asyncIterator]()
    await reader.next()
    aborting.abort(new Error("enough"))
    await expect(reader.next()).rejects.toThrow("enough")
    await reader.return?.()
    expect(await source.next()).toEqual({ done: true, value: undefined })
  })
})
