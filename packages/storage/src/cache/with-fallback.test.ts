import { describe, expect, it } from "vitest"
import { withFallback } from "./with-fallback.ts"

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
