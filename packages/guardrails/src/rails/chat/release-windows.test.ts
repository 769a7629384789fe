import { setTimeout as wait } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { Chunk } from "./chunk-delta.ts"
import { releaseWindows, type WindowOptions } from "./release-windows.ts"

const chunkOf = (delta: unknown): Chunk => ({ choices: [{ index: 0, delta }] })
const textOf = (chunk: Chunk | null) => JSON.stringify(chunk)?.match(/"content":"([^"]*)"/)?.[1] ?? ""

async function* sourceOf(deltas: readonly unknown[], onRead?: (index: number) => void): AsyncGenerator<Chunk> {
  for (const [index, delta] of deltas.entries()) {
    await wait(0)
    onRead?.(index)
    yield chunkOf(delta)
  }
}

const words = (...contents: readonly string[]) => contents.map((content) => ({ content }))

function options(overrides: Partial<WindowOptions> = {}): WindowOptions & { readonly judged: string[] } {
  const judged: string[] = []
  return {
    chunkSize: 6,
    contextSize: 3,
    judged,
    judge: (text) => {
      judged.push(text)
      return Promise.resolve(!text.includes("secret"))
    },
    ...overrides,
  }
}

describe("releaseWindows", () => {
  it(
    "judges each window with the characters before it, and yields all chunks unchanged",
    verifies("rails.streaming"),
    async () => {
      const given = options()
      const deltas = [{ role: "assistant" }, ...words("abc", "def", "ghi", "jkl", "m"), {}]
      const released = await Array.fromAsync(releaseWindows(sourceOf(deltas), given))
      expect(released).toEqual(deltas.map(chunkOf))
      expect(given.judged).toEqual(["abcdef", "defghijkl", "jklm"])
    },
  )

  it("finds a word that is split over two windows", async () => {
    const released = await Array.fromAsync(releaseWindows(sourceOf(words("it is sec", "ret now")), options()))
    expect(released.map(textOf)).toEqual(["it is sec", ""])
    expect(released.at(-1)).toBeNull()
  })

  it("yields nothing before its verdict, and reads at most one window ahead", async () => {
    const read: number[] = []
    const verdict = Promise.withResolvers<boolean>()
    const stream = releaseWindows(
      sourceOf(words("window", "second", "third!"), (index) => read.push(index)),
      options({ judge: () => verdict.promise }),
    )
    const first = stream.next()
    await expect.poll(() => read).toEqual([0, 1])
    // The source would give a third chunk in the next turn.
    await wait(0)
    await wait(0)
    expect(read).toEqual([0, 1])
    expect(await Promise.race([first, Promise.resolve("nothing yet")])).toBe("nothing yet")
    verdict.resolve(true)
    expect(textOf((await first).value ?? null)).toBe("window")
    expect((await Array.fromAsync(stream)).map(textOf)).toEqual(["second", "third!"])
  })

  it("yields a window as soon as it is judged, even if the source is silent", async () => {
    const silent = Promise.withResolvers<void>()
    async function* source() {
      yield chunkOf({ content: "window" })
      await silent.promise
      yield chunkOf({ content: "rest" })
    }
    const stream = releaseWindows(source(), options())
    expect(textOf((await stream.next()).value ?? null)).toBe("window")
    silent.resolve()
    expect((await Array.fromAsync(stream)).map(textOf)).toEqual(["rest"])
  })

  it("holds tool calls to the end", async () => {
    const call = (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })
    const windows: number[] = []
    const judge: WindowOptions["judge"] = (_text, { toolCalls }) => Promise.resolve(windows.push(toolCalls.length) > 9)
    const deltas = [{ content: "a" }, call("{"), { content: "longer than a window" }, call("}")]
    const released = await Array.fromAsync(releaseWindows(sourceOf(deltas), options({ judge })))
    expect(windows).toEqual([2])
    expect(released).toEqual([null])
  })

  it("closes the source when the reader stops, and ignores the pending verdict", async () => {
    let isClosed = false
    async function* source() {
      try {
        // The first verdict comes in the turn after the second chunk.
        yield* sourceOf(words("window", "second", "third!"), (index) => {
          if (index === 1) setImmediate(() => first.resolve(true))
        })
      } finally {
        isClosed = true
      }
    }
    const first = Promise.withResolvers<boolean>()
    const late = Promise.withResolvers<boolean>()
    let judged = 0
    const judge = () => (++judged === 1 ? first.promise : late.promise)
    for await (const chunk of releaseWindows(source(), options({ judge }))) {
      expect(textOf(chunk)).toBe("window")
      break
    }
    late.reject(new Error("too late"))
    await expect.poll(() => ({ judged, isClosed })).toEqual({ judged: 2, isClosed: true })
  })

  it("throws the error of the judge or of the source", async () => {
    const judge = () => Promise.reject(new Error("no judge"))
    await expect(Array.fromAsync(releaseWindows(sourceOf(words("window")), options({ judge })))).rejects.toThrow(
      "no judge",
    )
    async function* broken(): AsyncGenerator<Chunk> {
      yield chunkOf({ content: "w" })
      throw new Error("cut off")
    }
    await expect(Array.fromAsync(releaseWindows(broken(), options()))).rejects.toThrow("cut off")
  })
})
