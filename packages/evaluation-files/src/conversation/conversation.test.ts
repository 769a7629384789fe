import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import type { EvaluationTask } from "@assay/schemas"
import { programFiles } from "../program-files.ts"
import { readEvaluationCells } from "../read-evaluation-cells.ts"

const FILES = new Map([["./a/t.py", "print(1)"]])
const read = (text: string) => readEvaluationCells(parseYaml(text, "eval.yaml"), new Map(), FILES)
const HEAD = "model: http://h/v1#m\ndata: rows.csv\n"

function expand(text: string): EvaluationTask {
  const [{ content }] = read(HEAD + text)
  const task = typeof content.config === "string" ? undefined : content.config.tasks?.["answers"]
  if (task === undefined) throw new Error("No task.")
  return task
}

describe("a file with turns", () => {
  it("expands to a task of type conversation, whose metrics are at its turns and at its end", () => {
    const check = (text: string) => ({
      type: "string-check",
      params: { check: ["{{ sample.output_text }}", "contains", text] },
    })
    const task = expand(`
system: Be brief.
turns:
  - user: "{{ q }}"
    checks: [ contains: a, contains: b ]
  - { user: more, repeat: { until: { contains: c }, limit: 3 } }
tools: [ { name: t, answers: [ { result: 1 } ] } ]
state: { n: 1 }
limits: { turns: 5, tokens: 100, rows: 9, cost: 1 }
checks:
  - calls: { only: [t] }
  - calls: { never: t }
    as: policy
  - contains: d
`)
    expect(task).toEqual({
      type: "conversation",
      dataset: { files_url: "./rows.csv" },
      params: {
        conversation: {
          system: "Be brief.",
          turns: [
            { user: "{{ q }}", metrics: { contains: check("a"), contains_2: check("b") } },
            { user: "more", repeat: { until: check("c"), limit: 3 } },
          ],
          tools: [{ name: "t", answers: [{ result: 1 }] }],
          state: { n: 1 },
          limits: { turns: 5, tokens: 100 },
        },
      },
      metrics: {
        calls: { type: "calls", params: { only: ["t"] } },
        policy: { type: "calls", params: { never: "t" } },
        contains_3: check("d"),
      },
    })
  })

  it("needs no checks at its end, and its gates name a check over all turns or of one", () => {
    const turns =
      "turns:\n  - { user: a, repeat: { until: { contains: x }, limit: 2 } }\n  - { user: b, checks: [ contains: x ] }\n"
    expect(
      expand(`${turns}gates: [ contains >= 0.2, contains@2 >= 0.2, contains@3.string-check >= 0.2 ]`),
    ).toBeDefined()
    expect(() => expand(`${turns}gates: [ contains@4 >= 0.2 ]`)).toThrow("'contains@4' is not a check of this file")
    expect(() => expand(`${turns}gates: [ contains >= 20 ]`)).toThrow("eval.yaml:6:10")
  })

  it("puts the files of programs and the models of tools into the long form", () => {
    const { params } = expand(`
turns: [ { user: a } ]
tools:
  - { name: s, script: [python3, a/t.py], files: [./a/t.py], timeout: 5, environment: { A: b } }
  - mcp: { command: [python3, a/t.py], files: [./a/t.py] }
  - { name: m, model: { url: "http://h/v1", model: m, key: TOOL_KEY, temperature: 1 } }
checks: [latency]`)
    const files = { "a/t.py": "print(1)" }
    expect(params?.conversation).toMatchObject({
      tools: [
        { name: "s", script: ["python3", "a/t.py"], files, timeout: 5, environment: { A: "b" } },
        { mcp: { command: ["python3", "a/t.py"], files } },
        { name: "m" },
      ],
      tool_models: [
        {
          tool: "m",
          model: {
            api_endpoint: { url: "http://h/v1", model_id: "m", api_key_env: "TOOL_KEY" },
            inference_params: { temperature: 1 },
          },
        },
      ],
    })
    expect(programFiles(parseYaml("tools: [ { files: [a, 1] }, { mcp: { files: [a, b] } }, 3 ]", "x"))).toEqual([
      "a",
      "b",
    ])
  })

  it("shows a judge the conversation instead of a prompt", () => {
    const judge = "judge: { ask: Polite?, model: http://h/v1#j }"
    const { metrics, params } = expand(`turns: [ { user: a, checks: [ { ${judge} } ] } ]\nchecks: [ ${judge} ]`)
    const written = JSON.stringify([metrics, params?.conversation?.turns])
    expect(written.match(/for message in sample\.messages/g)).toHaveLength(2)
  })

  it.each([
    ["turns: [ { user: a } ]\nprompt: x\nchecks: [latency]", "can't be beside 'turns': the turns are the prompt"],
    ["turns: [ { user: a } ]\nprompts: [x]\nchecks: [latency]", "can't be beside 'turns'"],
    ["turns: [ { user: a } ]\ncache: true\nchecks: [latency]", "whose answers are recorded"],
    ["turns: [ { user: a } ]\nlimits: { requests: 3 }\nchecks: [latency]", "sends as many requests as its turns"],
    ["turns: orders\nchecks: [latency]", 'write "{{ orders }}"'],
    ["turns: []\nchecks: [latency]", "'turns': expected a list that is not empty, not []."],
    ["turns: ''\nchecks: [latency]", "eval.yaml:3:1: 'turns': expected a text that is not empty"],
    ["turns: [a]\nchecks: [latency]", "'turns.0': expected an object, not \"a\". A turn"],
    ["turns: [null]\nchecks: [latency]", "'turns.0': expected an object, not null."],
    ["turns: [ { user: a, checks: 3 } ]", "'turns.0.checks': expected a list, not 3."],
    ["turns: [ { user: a, repeat: 3 } ]\nchecks: [latency]", "'turns.0.repeat': expected an object, not 3."],
    ["turns: [ { user: a } ]\ntools: 5\nchecks: [latency]", "'tools': expected a list, not 5."],
    ["user: a\nchecks: [latency]", "'user': expected an object, not \"a\"."],
    ["user: { goal: x, judge: 5 }\nchecks: [latency]", "'user.judge': expected a text or an object, not 5."],
    ["turns: [ { user: a, checks: [ { contains: x, as: contains@2 } ] } ]", "letters, digits, `_` and `-`, up to 100"],
    ["turns: [ { user: a, check: [] } ]\nchecks: [latency]", "did you mean 'checks'"],
    [
      "turns: [ { user: a, repeat: { until: latency < 2s, limit: 101 } } ]\nchecks: [latency]",
      "'turns.0.repeat.limit'",
    ],
    [
      "turns: [ { user: a, checks: [ contains: x ] }, { user: b, checks: [ { latency: {}, as: contains } ] } ]",
      "check of another kind at eval.yaml:3",
    ],
    [
      "turns: [ { user: a, checks: [ { contains: x, labels: ./l.jsonl } ] } ]",
      "labels of people are for checks of whole rows",
    ],
    ["turns: [ { user: a } ]\nchecks: [ { latency: {}, as: a, name: b } ]", "says the same as 'name'"],
    ["tools: []\nchecks: [latency]", "'tools': belongs to a conversation"],
    ["limits: { calls: 2 }\nchecks: [latency]", "'limits.calls': belongs to a conversation"],
    ["turns: [ { user: a } ]\ntools: [ { name: 'a b', answers: [ {} ] } ]", "'tools.0.name'"],
    ["turns: [ { user: a } ]\ntools: [ { name: a, answers: [ { delay: 61 } ] } ]", "'tools.0.answers.0.delay'"],
    ["turns: [ { user: a } ]\ntools: [ { name: a } ]", "'tools.0': has no answers; give it one of"],
    ["turns: [ { user: a } ]\ntools: [ { name: a, answers: [{}], mcp: { command: [b] } } ]", "'tools.0.mcp': can't be"],
    ["turns: [ { user: a } ]\ntools: [ { script: [b] } ]", "'tools.0.name': is missing"],
    [
      "turns: [ { user: a } ]\ntools: [ { name: a, model: 'http://h#m', files: [b] } ]",
      "'tools.0.files': has no effect",
    ],
    [
      "turns: [ { user: a } ]\ntools: [ { name: a, script: [b], files: [c] } ]",
      "'tools.0.files.0': 'c' is a file beside",
    ],
    ["turns: [ { user: a } ]\ntools: [ { name: a, script: [b], timeout: 301 } ]", "'tools.0.timeout'"],
    ["turns: [ { user: a } ]\nlimits: { calls: 201 }", "'limits.calls': expected a whole number from 0 to 200"],
    ["prompt: x", "'checks' is missing"],
  ])("%j is refused: %s", (text, why) => {
    expect(() => expand(text)).toThrow(why)
  })

  it("has no second fault in a gate about a check of its turns", () => {
    const text = "turns: [ { user: a, checks: [ contains: x ] } ]\nlimits: { requests: 3 }\ngates: [ contains >= 0.2 ]"
    expect(() => expand(text)).toThrow(/'limits.requests'/)
    expect(() => expand(text)).not.toThrow(/gates/)
  })
})
