import { Readable } from "node:stream"
import { parseExactJson } from "@assay/json"
import type { EvaluationRow } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { readRows } from "@assay/results"
import { compileRowTemplate, rankingOf, relevanceOf } from "@assay/scoring/testing"
import { rowOf } from "@assay/results/testing"
import { givenOutput, valueText } from "@assay/scoring"

const itemOf = (text: string) => parseExactJson(text).value as EvaluationRow["item"]

describe("numbers of a row", () => {
  it("are the same in the prompt, in references and in the journal as in the dataset", async () => {
    const item = itemOf('{"answer":1234567890123456789,"price":1.50}')
    expect(compileRowTemplate("Is it {{ answer }} or {{ item.price }}?", "t").render({ item })).toBe(
      "Is it 1234567890123456789 or 1.50?",
    )
    expect(valueText(compileRowTemplate("{{ item.answer }}", "t").evaluate({ item }))).toBe("1234567890123456789")
    const line = `${JSON.stringify(rowOf(0, { check: { score: 1 / 3 } }, { item }))}\n`
    expect(line).toContain('{"answer":1234567890123456789,"price":1.50}')
    const [[row]] = (await Array.fromAsync(readRows(Readable.from([Buffer.from(line)])))) as [[EvaluationRow]]
    expect(`${JSON.stringify(row)}\n`).toBe(line)
    expect(row.scores).toEqual({ check: { score: 1 / 3 } })
  })

  it("are outputs, times and counts of tokens", () => {
    expect(givenOutput.ofRow(itemOf('{"output":1.0,"latency_ms":12.0}'))).toMatchObject({
      output_text: "1.0",
      latency_ms: 12,
    })
    const answer = '{"choices":[{"message":{"content":"4"}}],"usage":{"prompt_tokens":1.0,"completion_tokens":2.0}}'
    expect(givenOutput.ofRow(itemOf(`{"response":${answer}}`))).toMatchObject({
      output_text: "4",
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    })
    expect(givenOutput.ofRow(itemOf('{"response":12345678901234567890}')).output_text).toBe("12345678901234567890")
  })

  it("are ids, scores and grades of documents", () => {
    const item = itemOf(
      '{"ranking":[{"id":12345678901234567890,"score":1.0},{"id":2,"score":3.0}],"relevant":{"2":1.0}}',
    )
    expect(rankingOf(item)).toEqual(["2", "12345678901234567890"])
    expect(relevanceOf(item)).toEqual(new Map([["2", 1]]))
    expect(rankingOf(itemOf('{"ranking":{"a":1.0,"b":2.0}}'))).toEqual(["b", "a"])
  })
})
