import type { EvaluationJob } from "@assay/schemas"
import { expect, it } from "vitest"
import { readLaunchFile } from "./read-launch-file.ts"
import { fileOfJob } from "./shorten-job.ts"

const SHORT = `name: nightly
model:
  url: http://h/v1
  model: m
  key: key
  temperature: 0
  prompt_price: 0.15
  completion_price: 0.6
data: default/rows#a.csv
prompt:
  system: You are polite.
  user: "{{ q }}"
checks:
  - equals: "{{ a }}"
  - contains: "{{ a }}"
    name: has
  - f1: "{{ a }}"
  - judge:
      ask: Is it polite?
      model: http://h/v1#judge
  - judge:
      ask: Is {{ sample.output_text }} kind?
      model:
        url: http://h/v1
        model: judge
        temperature: 0
      scale:
        good: 1
        so-so: 0.5
        bad: 0
    name: kind
  - judge:
      ask: How clear is it?
      model: http://h/v1#judge
      scale:
        - 1
        - 5
    name: clear
  - latency < 2s
  - latency: {}
    name: latency_2
gates:
  - equals >= 0.8
  - latency_2.latency_ms <= 100
repeat: 2
slices:
  - topic
limits:
  rows: 10
  cost: 2
namespace: default
description: a file
`

it("a job becomes the short file that it came from, which launches the same", async () => {
  const [job] = readLaunchFile(SHORT).jobs
  const again = await fileOfJob({ ...job?.body, custom_fields: {} } as unknown as EvaluationJob)
  expect(readLaunchFile(SHORT).faults).toEqual([])
  expect(again).toBe(SHORT)
})

it("a job that the short form can't say stays in the long form", async () => {
  const [job] = readLaunchFile(SHORT).jobs
  const { tasks: own } = (job?.body.config ?? {}) as { readonly tasks?: object }
  const tasks = { ...own, more: { type: "data" } }
  const config = { type: "custom", tasks }
  const text = await fileOfJob({ ...job?.body, config, custom_fields: {} } as unknown as EvaluationJob)
  expect(text).toContain("target:")
  expect(readLaunchFile(text).jobs[0]?.body.config).toMatchObject({ tasks: { more: { type: "data" } } })
})
