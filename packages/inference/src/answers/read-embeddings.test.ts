import { describe, expect, it } from "vitest"
import { readEmbeddings } from "./read-embeddings.ts"

const answer = (...data: readonly unknown[]) => JSON.stringify({ data, usage: { prompt_tokens: 2, total_tokens: 2 } })

describe("the answer of an endpoint for embeddings", () => {
  it("has one vector for each text, in the order of their indexes", () => {
    const { vectors } = readEmbeddings(answer({ index: 1, embedding: [0, 1] }, { index: 0, embedding: [1, 0] }), 2)
    expect(vectors).toEqual([
      [1, 0],
      [0, 1],
    ])
  })

  it.each([
    ["too few", answer({ index: 0, embedding: [1] })],
    ["one twice", answer({ index: 0, embedding: [1] }, { index: 0, embedding: [1] })],
    ["lengths that differ", answer({ embedding: [1] }, { embedding: [1, 2] })],
    ["base64", answer({ embedding: "AAAA" }, { embedding: "AAAA" })],
    ["an index outside", answer({ index: 0, embedding: [1] }, { index: 2, embedding: [1] })],
    ["something else", "<html>"],
    ["an empty vector", answer({ embedding: [] }, { embedding: [] })],
  ])("is refused with %s", (_, text) => {
    expect(() => readEmbeddings(text, 2)).toThrow("one embedding for each text")
  })
})
