import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EXAMPLE_ROWS, exampleJob } from "../../../testing/example-job.ts"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"

describe.runIf(hasBrowser)("labels of a judge of pairs", () => {
  const console = useConsole()
  let endpoint: FakeInference
  let job = ""
  beforeAll(async () => {
    endpoint = await startFakeInference({
      models: {
        echo: ({ messages }) => ({ content: `Echo of ${String(messages.at(-1)?.content)}` }),
        judge: () => ({ content: '{"winner": "tie"}' }),
      },
    })
    const url = `${endpoint.url}/v1`
    const { workspaces, filesets, files, evaluation } = console.client
    await workspaces.create({ name: "pairs" })
    await filesets.create("pairs", { name: "questions", purpose: "dataset" })
    const rows = EXAMPLE_ROWS.slice(0, 3).map((row) => JSON.stringify(row))
    await files.write("pairs", "questions", "rows.jsonl", rows.join("\n"))
    const body = exampleJob({ description: "pairs", prompt: "{{ item.question }}", url })
    const judge = { model: { api_endpoint: { url, model_id: "judge" } } }
    const metrics = {
      pair: { type: "pairwise", params: { judge, ask: "Which one is kinder?", against: "No: {{ item.answer }}" } },
    }
    const answers = typeof body.config === "string" ? undefined : body.config.tasks?.["answers"]
    const changed = { ...body, config: { type: "custom", tasks: { answers: { ...answers, metrics } } } }
    const { id } = await evaluation.jobs.launch(JSON.parse(JSON.stringify(changed).replaceAll("runs", "pairs")))
    job = id
    for await (const _ of evaluation.jobs.events(id)) continue
  })
  afterAll(async () => {
    await console.client.evaluation.jobs.remove(job)
    await console.client.workspaces.remove("pairs", { cascade: true })
    await endpoint.close()
  })

  it("are given by its words, beside its criterion and both answers", verifies("console.labels"), async () => {
    await using opened = await console.open(`/jobs/${job}?tab=labels&metric=${encodeURIComponent('"pair.pairwise"')}`)
    const { page } = opened
    await page.getByRole("region", { name: "The judge's question" }).getByText("Which one is kinder?").waitFor()
    await page
      .getByRole("region", { name: "Answer A" })
      .getByText(/^Echo of Say the word/u)
      .waitFor()
    await page.getByRole("region", { name: "Answer B" }).getByText(/^No: /u).waitFor()
    await expectSound(opened)
    await page.setViewportSize({ width: 400, height: 800 })
    await expectFits(page)
    await page.getByRole("button", { name: "Label without a name" }).click()
    await page.keyboard.press("1")
    await page.getByText("1 of 3 labelled").waitFor()
    const { data } = await console.client.evaluation.jobs.labels.list(job, { metric: "pair.pairwise" })
    expect(data.map(({ label }) => label)).toEqual([1])
  })
})
