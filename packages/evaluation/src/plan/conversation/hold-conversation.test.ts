import { type EvaluationConfigBody, type EvaluationRow, readEvaluationCells } from "@assay/schemas"
import { parseYaml } from "@assay/schemas/validation"
import { type FakeChatBody, type FakeChatReply, startFakeInference } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createRunner } from "../../testing/create-runner.ts"
import { planOf } from "../../testing/plan-of.ts"

type Reply = (body: FakeChatBody, said: string) => FakeChatReply

const call = (name: string, args: unknown, id = `${name}-1`) => ({
  id,
  type: "function",
  function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
})

/** Runs the file of a conversation with a model that replies by a function. */
async function hold(yaml: string, reply: Reply) {
  const said = ({ messages }: FakeChatBody) => String(messages.at(-1)?.content)
  const server = await startFakeInference({ models: { agent: (body) => reply(body, said(body)) } })
  onTestFinished(() => server.close())
  const [{ content }] = readEvaluationCells(parseYaml(`model: "${server.url}/v1#agent"\n${yaml}`, "eval.yaml"))
  const { target, config } = content as { target: Parameters<typeof planOf>[0]; config: EvaluationConfigBody }
  const plan = await planOf(target, config)
  onTestFinished(() => plan.close())
  const { lines, tasks, failures } = await createRunner()(plan)
  const row = lines.at(-1) as EvaluationRow
  return { row, rows: lines, metrics: tasks[0]?.metrics, failures, requests: server.requests.map(({ chat }) => chat) }
}

const SHOP = `
data: [{ shop: Lamps, order: A1, status: shipped }]
system: "You serve {{ shop }}."
turns:
  - user: "Where is {{ order }}?"
    checks: [ contains: "{{ status }}" ]
  - user: "Cancel it. You said: {{ turns[0].output_text }}"
    repeat: { until: { contains: gone }, limit: 3 }
    checks: [ contains: gone ]
tools:
  - name: get_order
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    answers:
      - { when: { id: "{{ order }}" }, result: { status: shipped } }
      - { error: no such order }
  - name: cancel
    answers: [ { delay: 0.01, result: "{{ arguments.id }} gone", set: { orders.A1: cancelled } } ]
state: { orders: { A1: shipped } }
checks:
  - state: { path: "$.orders.A1", equals: cancelled }
  - calls: { in_order: [get_order, cancel] }
  - calls: { never: "cancel before get_order" }
    as: policy
gates: [ "contains >= 0.2", "contains@3 >= 0.2", "state >= 0.2" ]
`

describe("a conversation", () => {
  it("is held turn by turn with its exact history, tools and state, and scored by turn and at its end", async () => {
    let cancelled = 0
    const { row, metrics, requests } = await hold(SHOP, ({ messages }, said) => {
      const isAfterTool = messages.at(-1)?.role === "tool"
      if (isAfterTool) return { content: said.includes("shipped") ? "It is shipped." : "It is gone." }
      if (said.startsWith("Where")) return { toolCalls: [call("get_order", { id: "A1" })], finish_reason: "tool_calls" }
      cancelled += 1
      return cancelled === 1 ? { content: "Sure?" } : { toolCalls: [call("cancel", { id: "A1" })] }
    })
    expect(row.error).toBeNull()
    expect(row.turns?.map(({ user, output_text, calls, scores }) => ({ user, output_text, calls, scores }))).toEqual([
      {
        user: "Where is A1?",
        output_text: "It is shipped.",
        calls: [{ name: "get_order", arguments: { id: "A1" }, result: { status: "shipped" } }],
        scores: { contains: { "string-check": 1 } },
      },
      {
        user: "Cancel it. You said: It is shipped.",
        output_text: "Sure?",
        calls: [],
        scores: { contains: { "string-check": 0 } },
      },
      {
        user: "Cancel it. You said: It is shipped.",
        output_text: "It is gone.",
        calls: [{ name: "cancel", arguments: { id: "A1" }, result: "A1 gone" }],
        scores: { contains: { "string-check": 1 } },
      },
    ])
    expect(row.sample).toMatchObject({
      end: "turns",
      state: { orders: { A1: "cancelled" } },
      output_text: "It is gone.",
    })
    expect(row.scores).toMatchObject({ state: { state: 1 }, calls: { calls: 1 }, policy: { calls: 1 } })
    expect(metrics?.["contains"]?.["string-check"]?.value).toBeCloseTo(2 / 3)
    expect(metrics?.["contains@2"]?.["string-check"]?.value).toBe(0)
    expect(metrics?.["contains@3"]?.["string-check"]?.value).toBe(1)
    expect(requests).toHaveLength(5)
    expect(requests.at(-1)?.messages).toEqual(row.sample?.messages?.slice(0, -1))
    expect(row.sample?.messages?.map(({ role }) => role).join(" ")).toBe(
      "system user assistant tool assistant user assistant user assistant tool assistant",
    )
  })
})
