import { expect, it } from "vitest"
import { formatCommand } from "../format-command.ts"
import { readLaunchFile } from "./read-launch-file.ts"

const LONG = `# nightly
target: {type: model, model: {api_endpoint: {url: "http://h/v1", model_id: m}}}
config:
  type: custom
  tasks:
    a.b:
      type: data
      metrics:
        m: {type: f1}
output: ./here
gates: ["a.b.m >= 0.5"]
`

it("a file in the long form has the lines of what checks name, and is sent without what only the command line uses", () => {
  const { jobs, lineOf } = readLaunchFile(LONG)
  expect(Object.keys(jobs[0]?.body ?? {}).toSorted()).toEqual(["config", "namespace", "target"])
  const locations = [
    "config.tasks.a.b.dataset",
    "tasks.a.b.metrics.m.type: 'nope'",
    "target.model",
    "config.tasks.a",
    "rows 1",
  ]
  expect(locations.map(lineOf)).toEqual([6, 9, 2, 5, undefined])
})

const SHORT = `model: {url: "http://h/v1", model: m}
data: default/rows#a.csv
prompt: "{{ q }}"
checks:
  - equals: "{{ a }}"
gates: [equals >= 0.8]
`

it("a file in the short form is sent in the long form, one job for each model, and has the lines of what checks name", () => {
  const { jobs, lineOf } = readLaunchFile(SHORT)
  expect(jobs).toMatchObject([
    {
      body: {
        namespace: "default",
        target: { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id: "m" } } },
        config: { tasks: { answers: { dataset: { files_url: "default/rows#a.csv" } } } },
      },
    },
  ])
  const locations = ["config.tasks.answers.dataset", "tasks.answers.metrics.equals.params", "target.model"]
  expect(locations.map(lineOf)).toEqual([2, 5, 1])
  const several = readLaunchFile(SHORT.replace("model: {", "models: [{").replace("m}", "m}, http://h/v1#n]"))
  expect(several.jobs.map(({ label }) => label)).toEqual(["m", "n"])
})

it("every fault has its line, and what nobody has written yet is not called a fault", () => {
  const faults = (text: string) => readLaunchFile(text).faults
  expect(faults("")).toEqual([])
  expect(faults(SHORT.replace("equals: ", "equal: "))).toMatchObject([
    { line: 5, text: expect.stringContaining("did you mean 'equals'") },
  ])
  const two = faults(SHORT.replace("prompt:", "promt:").replace("equals >= 0.8", "equals > 80"))
  expect(two.map(({ line }) => line)).toEqual([3, 6])
  expect(faults("model: http://h/v1#m\n").map(({ isFault }) => isFault)).toEqual([false, false])
  expect(faults("checks:\nmodel: http://h/v1#m\ndata: a/b\n")).toMatchObject([{ line: 1, isFault: false }])
  const added = SHORT.replace('  - equals: "{{ a }}"', "  - judge: { ask: null, model: null }\n  - json-schema: null")
  const unwritten = faults(added.replace("equals >= 0.8", '"judge >= "'))
  expect(unwritten.map(({ text, isFault }) => [text.slice(0, 33), isFault])).toEqual([
    ["'checks.0.judge.ask' is missing. ", false],
    ["'checks.0.judge.model' is missing", false],
    ["'checks.1.json-schema' is missing", false],
    ["'gates.0' is missing: write equal", false],
  ])
  expect(faults(SHORT.replace("default/rows#a.csv", "a.csv"))).toMatchObject([
    { line: 2, text: expect.stringContaining("name a fileset here") },
  ])
  expect(faults(SHORT.replace('"{{ q }}"', "./p.txt"))[0]?.text).toContain("which only the command reads")
  expect(faults("target: {")).toMatchObject([{ line: 1 }])
  expect(faults(LONG.replace("custom", "costum"))).toMatchObject([
    { line: 4, text: expect.stringContaining("'config.type': expected one of custom, ") },
  ])
})

it("no line of a copied file ends the document of the shell early", () => {
  expect(formatCommand(`${LONG}YAML\nrm -rf ~\n`)).toMatch(
    /^cat > evaluation\.yaml <<'YAML_'\n# nightly\n[^]*\nYAML\nrm -rf ~\nYAML_\nassay eval launch /u,
  )
})
