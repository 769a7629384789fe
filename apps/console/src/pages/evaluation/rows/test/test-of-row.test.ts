import { describe, expect, it } from "vitest"
import { readLaunchFile } from "../../launch/file/read-launch-file.ts"
import { testOfRow } from "./test-of-row.ts"

const ROW = { task: "desk", row_index: 3, repeat: 0, item: { order: "A1" }, output: "Gone." }
const call = (name: string, refused?: true) => ({
  name,
  arguments: { id: "A1" },
  ...(refused === undefined ? { result: "ok" } : { error: "no", refused }),
})
const turn = { turn: 0, user: "Cancel.", output_text: "Gone.", scores: {}, latency_ms: 1 }
const conversation = {
  end: "turns" as const,
  turns: [{ ...turn, calls: [call("get-order"), call("cancel"), call("cancel"), call("what is", true)] }],
  messages: [],
  state: null,
  malformed_calls: 0,
  unknown_tools: 1,
}
const cellsOf = (lines: string) => {
  const data = lines.replace("data: tests.jsonl", "data: default/tests#tests.jsonl")
  return readLaunchFile(`model: http://h/v1#m\n${data}`)
}

describe("a row of a job as a test", () => {
  it("has the messages of its user and the answers of its tools, in lines of a file that can be launched", () => {
    const { line, file, command } = testOfRow("eval-1", { ...ROW, conversation })
    expect(JSON.parse(line)).toMatchObject({
      order: "A1",
      turns: [{ user: "Cancel." }],
      tool_answers: { "get-order": [{ when: { id: "A1" }, result: "ok" }] },
      output_text: "Gone.",
      from: { job: "eval-1", task: "desk", row_index: 3 },
    })
    const { jobs, faults } = cellsOf(file) as { jobs: readonly { body: unknown }[]; faults?: unknown }
    expect(faults ?? []).toEqual([])
    expect(JSON.stringify(jobs[0]?.body)).toContain("item.tool_answers['get-order'] | default([])")
    expect(file.match(/- name: .*/g)).toEqual(["- name: cancel", "- name: get-order"])
    expect(command).toBe("assay import row eval-1 desk/3 --out tests.jsonl")
  })

  it("of a single answer keeps the prompt of its file", () => {
    const { line, file, command } = testOfRow("eval-1", { ...ROW, task: "a 'b'", repeat: 2 })
    expect(JSON.parse(line)).toEqual({
      order: "A1",
      output_text: "Gone.",
      from: { job: "eval-1", task: "a 'b'", row_index: 3, repeat: 2 },
    })
    expect(cellsOf(`prompt: "{{ order }}"\n${file}`).jobs).toHaveLength(1)
    expect(command).toBe("assay import row eval-1 'a '\\''b'\\''/3' --repeat 2 --out tests.jsonl")
  })
})
