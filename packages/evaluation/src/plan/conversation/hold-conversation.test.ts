import type { EvaluationConfigBody, EvaluationRow } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { type FakeChatBody, type FakeChatReply, startFakeInference, verifies } from "@assay/testkit"
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
  it(
    "is held turn by turn with its exact history, tools and state, and scored by turn and at its end",
    verifies("run.conversation"),
    async () => {
      let cancelled = 0
      const { row, metrics, requests } = await hold(SHOP, ({ messages }, said) => {
        const isAfterTool = messages.at(-1)?.role === "tool"
        if (isAfterTool) return { content: said.includes("shipped") ? "It is shipped." : "It is gone." }
        if (said.startsWith("Where"))
          return { toolCalls: [call("get_order", { id: "A1" })], finish_reason: "tool_calls" }
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
    },
  )
})

describe("a conversation that could go on without an end", () => {
  const LOOP = `
data: [{}]
turns: [ { user: a }, { user: b }, { user: c } ]
tools: [ { name: t, answers: [ { result: "${"x".repeat(10)}" } ] } ]
checks: [ calls: { any_order: [t] } ]
`
  const looping: Reply = () => ({ toolCalls: [call("t", {}), call("t", {}), call("t", {})] })
  const talking: Reply = (_body, said) => ({ content: said })

  it.each([
    ["limit_turns", "limits: { turns: 2 }", talking, 2, 0],
    ["limit_tokens", "limits: { tokens: 1 }", talking, 1, 0],
    ["limit_tokens", "limits: { tokens: 1 }", looping, 1, 3],
    ["limit_calls", "limits: { calls: 4 }", looping, 1, 4],
    ["limit_calls", "limits: { calls: 0 }", looping, 1, 0],
    ["limit_calls", "", looping, 1, 200],
    ["limit_time", "limits: { time: 0.000001 }", looping, 1, 3],
    ["turns", "limits: { turns: 3, calls: 0 }", talking, 3, 0],
  ] as const)("ends with %s under %j, and is scored", async (end, limits, reply, turns, calls) => {
    const { row } = await hold(LOOP + limits, reply)
    expect(row.error).toBeNull()
    expect(row.sample?.end).toBe(end)
    expect(row.turns?.map((turn) => turn.calls.length).reduce((sum, count) => sum + count, 0)).toBe(calls)
    expect(row.turns).toHaveLength(turns)
    expect(row.scores["calls"]).toEqual({ calls: calls > 0 ? 1 : 0 })
    expect(row.sample?.messages?.filter(({ role }) => role === "tool")).toHaveLength(calls)
  })

  it("has the first state at turns that change nothing", async () => {
    const file =
      "data: [{}]\nstate: { n: 1 }\nturns: [ { user: a, checks: [ state: { path: $.n, equals: 1 } ] }, { user: b, checks: [ state: { path: $.n, equals: 1 } ] } ]"
    const { row } = await hold(file, talking)
    expect(row.scores).toMatchObject({ state: { state: 1 }, "state@1": { state: 1 }, "state@2": { state: 1 } })
  })

  it("gets its faults back and counts them", async () => {
    const faults = [call("u", {}), call("t", "{"), call("t", "x".repeat(2 ** 20 + 1)), { id: 1 }]
    const { row, requests } = await hold(LOOP, (_body, said) =>
      said.startsWith("{") ? { content: "done" } : { toolCalls: faults },
    )
    expect(row.sample).toMatchObject({ end: "turns", malformed_calls: 6, unknown_tools: 6, output_text: "done" })
    expect(row.turns?.[0]?.calls.map(({ error }) => error?.slice(0, 20))).toEqual([
      "There is no tool 'u'",
      "The arguments are no",
      "The arguments are no",
      "There is no tool ''.",
    ])
    expect(JSON.stringify(requests.at(-1)).length).toBeLessThan(10_000)
  })

  it("fails its row if the history has more than 16 MiB, or if limited tokens can't be counted", async () => {
    const { failures } = await hold(LOOP, () => ({ content: "x".repeat(9 * 2 ** 20) }))
    expect(failures.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringMatching(/^answer_unusable: The history of the conversation has more than 16 MiB/),
    ])
    const uncounted = await hold(`${LOOP}limits: { tokens: 9 }`, () => ({ content: "x", usage: {} }))
    expect(uncounted.failures.map(({ message }) => message)).toEqual([expect.stringContaining("tokens of the conv")])
  })
})

describe("a conversation with an answer that the token limit cut", () => {
  it("ends with that finish_reason, whatever the later answers are", async () => {
    const file = "data: [{}]\nturns: [ { user: a }, { user: b } ]\nchecks: [ latency ]"
    const { row } = await hold(file, (_body, said) => ({
      content: said,
      finish_reason: said === "a" ? "max_tokens" : "stop",
    }))
    expect(row.sample?.finish_reason).toBe("max_tokens")
    expect(row.turns?.map((turn) => turn.finish_reason)).toEqual(["max_tokens", "stop"])
  })
})

describe("a turn that no conversation reached", () => {
  it("has a score without rows, also if other conversations fail", async () => {
    const turns =
      "turns: [ { user: '{{ q }}', checks: [ contains: a ], repeat: { until: { contains: a }, limit: 2 } } ]"
    const { metrics } = await hold(`data: [ { q: a }, { q: fail } ]\n${turns}\nlimits: { failed: 1 }`, (_body, said) =>
      said === "fail"
        ? { content: null, toolCalls: [{ function: { arguments: "x".repeat(20 * 2 ** 20) } }] }
        : { content: said },
    )
    expect(metrics?.["contains@1"]?.["string-check"]?.counts).toMatchObject({ scored: 1, errored: 1 })
    expect(metrics?.["contains@2"]?.["string-check"]?.counts).toMatchObject({ scored: 0, errored: 0, skipped: 0 })
  })
})

describe("a turn that a limit cut off", () => {
  it("is counted as not reached, besides what earlier turns scored", verifies("run.not-reached"), async () => {
    const file = `
data: [ { q: long }, { q: short }, { q: short }, { q: short } ]
turns:
  - { user: "{{ q }}", checks: [ contains: o ] }
  - { user: "b {{ q }}", checks: [ contains: b, contains: t ] }
limits: { tokens: 50 }
`
    const usage = (total: number) => ({ prompt_tokens: 1, completion_tokens: total - 1, total_tokens: total })
    const { rows, metrics } = await hold(file, (_body, said) => ({
      content: said,
      usage: usage(said === "long" ? 60 : 2),
    }))
    expect(rows.filter(({ sample }) => sample?.end === "limit_tokens")).toHaveLength(1)
    const counts = Object.entries(metrics ?? {}).map(([key, scores]) => [key, scores["string-check"]?.counts])
    const whole = { unreadable: 0, errored: 0, skipped: 0 }
    expect(Object.fromEntries(counts)).toEqual({
      contains: { ...whole, scored: 4, not_reached: 1, partly_reached: 1 },
      "contains@1": { ...whole, scored: 4 },
      "contains@2": { ...whole, scored: 3, not_reached: 1 },
      contains_2: { ...whole, scored: 3, not_reached: 1 },
      "contains_2@2": { ...whole, scored: 3, not_reached: 1 },
    })
  })
})

describe("the turns of a row", () => {
  const file = (turns: string) => `data: [{ turns: ${turns} }]\nturns: "{{ turns }}"\nchecks: [ latency ]`
  const echo: Reply = (_body, said) => ({ content: said })

  it("are sent as they are, because rows are no templates", async () => {
    const { row } = await hold(file('["{{ 1 }}", { user: "{% raw %}" }]'), echo)
    expect(row.turns?.map(({ user }) => user)).toEqual(["{{ 1 }}", "{% raw %}"])
  })

  it.each([
    ["[]", "'turns' of the row are a list of 0"],
    ["5", "'turns' of the row are number"],
    ["[1]", "Turn 1 of the row is not a turn"],
    ["[{ user: a, checks: [] }]", "Turn 1 of the row has 'checks'"],
  ])("%s are a fault of the row", async (turns, why) => {
    const { row } = await hold(file(turns), echo)
    expect(row.error).toMatchObject({ code: "rows_invalid", message: expect.stringContaining(why) as string })
  })
})
