import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import { programFiles } from "../program-files.ts"
import { readEvaluationCells } from "../read-evaluation-cells.ts"

const FILES = new Map([["a.py", "print(1)"]])
const read = (text: string) => readEvaluationCells(parseYaml(text, "eval.yaml"), new Map(), FILES)
const REST = '\ndata: rows.csv\nprompt: "{{ q }}"\nchecks: [latency]\n'

describe("a file with an agent", () => {
  it("expands to a task of the type agent, whose target is the model that its program may ask", () => {
    const text = `agent: { command: [python3, a.py], files: [a.py], environment: { API_KEY: x }, transcript: atif, timeout: 5 }${REST}`
    const [{ content }] = read(text)
    const agent = {
      program: { command: ["python3", "a.py"], environment: { API_KEY: "x" }, files: { "a.py": "print(1)" } },
      transcript: "atif",
      timeout: 5,
    }
    expect(content).toMatchObject({
      target: { type: "cached_outputs", cached_outputs: { files_url: "./rows.csv" } },
      config: { tasks: { answers: { type: "agent", params: { agent, template: { prompt: "{{ q }}" } } } } },
    })
    expect(programFiles(parseYaml(text, "x"))).toEqual(["a.py"])
    const folder = text.replace("[a.py]", "./tools")
    expect(programFiles(parseYaml(folder, "x"))).toEqual(["./tools/"])
    const filesOf = (written: string, texts: ReadonlyMap<string, string>) => {
      const [cell] = readEvaluationCells(parseYaml(written, "eval.yaml"), new Map(), texts)
      return JSON.stringify(cell.content)
    }
    const below = new Map([
      ["./tools/lib/a.py", "1"],
      ["other.py", "2"],
    ])
    expect(filesOf(folder, below)).toContain('"files":{"lib/a.py":"1"}')
    const ofFileset = text.replace("[a.py]", '"default/tools@v1#lib"')
    expect(filesOf(ofFileset, new Map())).toContain('"files":"default/tools@v1#lib"')
    const cells = read(`models: [ "http://h/v1#a", "http://h/v1#b" ]\n${text}`)
    expect(cells.map(({ label, content: { target } }) => [label, target])).toMatchObject([
      ["a", { type: "model", model: { api_endpoint: { model_id: "a" } } }],
      ["b", { type: "model" }],
    ])
  })

  it("can name an endpoint with a key", () => {
    const [{ content }] = read(`agent: { url: "http://h/run", key: AGENT_KEY }${REST}`)
    const endpoint = { url: "http://h/run", model_id: "agent", api_key_env: "AGENT_KEY", format: "task" }
    expect(content).toMatchObject({ config: { tasks: { answers: { params: { agent: { api_endpoint: endpoint } } } } } })
  })

  it.each([
    [`agent: {}${REST}`, "'agent': has neither `command` nor `url`"],
    [`agent: { command: [a], url: "http://h" }${REST}`, "'agent.url': can't be beside 'command'"],
    [`agent: { url: "http://h", files: [a.py] }${REST}`, "'agent.files': belongs to a program"],
    [`agent: { command: [a], key: A_KEY }${REST}`, "'agent.key': has no effect on a program"],
    [`agent: { command: [a], files: [b.py] }${REST}`, "'agent.files.0': 'b.py' is a file beside"],
    [`agent: a${REST}`, "'agent': expected an object, not \"a\"."],
    [`agent: { command: [a], files: programs/b.py }${REST}`, "'programs/b.py' is one file; write [programs/b.py]"],
    [`agent: { command: [a], files: ./tools }${REST}`, "'./tools' is a folder beside"],
    [`agent: { command: [a], files: {} }${REST}`, "'agent.files': expected a list or a text, not {}."],
    [`agent: { command: [a], transcript: otel }${REST}`, "'agent.transcript'"],
    [`model: "http://h#m"\nagent: { url: "http://h" }${REST}`, "'model': can't be beside 'agent.url'"],
    [`agent: { command: [a] }\ntools: []${REST}`, "'tools': can't be beside 'agent'"],
    [`agent: { command: [a] }\nturns: [ { user: a } ]${REST}`, "'turns': can't be beside 'agent'"],
    [`agent: { command: [a] }\noutput: "{{ o }}"${REST}`, "'output': can't be beside 'agent'"],
    [`agent: { url: "http://h", key: sk-aaaaaaaaaaaaaaaaaaaa }${REST}`, "looks like a key itself"],
  ])("%j is refused: %s", (text, why) => {
    expect(() => read(text)).toThrow(why)
  })
})
