import { expect, it } from "vitest"
import { openMetrics, scoreRows } from "../../testing/score-rows.ts"

type Row = Readonly<Record<string, unknown>>

async function scoresOf(type: string, params: Row, row: Row) {
  const [scored] = await scoreRows(await openMetrics([row], { metric: { type, params } }))
  return scored?.outcomes["metric"]?.scores
}

it.each(["rouge", "bleu", "chrf", "f1", "ter"])("%s refuses texts that would take minutes to compare", async (type) => {
  const long = { output: "a ".repeat(60_000), ref: "a" }
  await expect(scoresOf(type, { references: "{{ ref }}" }, long)).rejects.toMatchObject({
    code: "rows_invalid",
    message: expect.stringContaining("120000 characters") as string,
  })
  const many = { output: "a ".repeat(2000), refs: Array.from({ length: 200 }, () => "a") }
  await expect(scoresOf(type, { references: "{{ item.refs }}" }, many)).rejects.toMatchObject({
    code: "rows_invalid",
    message: expect.stringContaining("200 references") as string,
  })
  const content = "a ".repeat(60_000)
  const answered = { response: { choices: [{ message: { content } }] }, ref: "a" }
  await expect(scoresOf(type, { references: "{{ ref }}" }, answered)).rejects.toMatchObject({
    code: "answer_unusable",
    message: expect.stringMatching(/^The answer of 120000 characters is too long/) as string,
  })
  // The reference alone is too long, whatever the model answers.
  await expect(scoresOf(type, { references: "{{ ref }}" }, { ...answered, ref: content })).rejects.toMatchObject({
    code: "rows_invalid",
  })
})
