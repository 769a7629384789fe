import { type FakeChatBody, type FakeChatReply, startFakeInference, verifies } from "@assay/testkit"
import type { EvaluationConfigBody, EvaluationRow } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { describe, expect, it, onTestFinished } from "vitest"
import { createRunner } from "../../testing/create-runner.ts"
import { planOf } from "../../testing/plan-of.ts"

interface Replies {
  /** @param turn how many messages it has written */
  readonly user: (turn: number, body: FakeChatBody) => FakeChatReply
  readonly agent?: (said: string) => string
  readonly judge?: string
  readonly judgeEnd?: string
}

async function hold(
  yaml: string,
  { user, agent = (said) => `You said ${said}`, judge = "yes", judgeEnd = "stop" }: Replies,
) {
  const server = await startFakeInference({
    models: {
      agent: ({ messages }) => ({ content: agent(String(messages.at(-1)?.content)) }),
      user: (body) => user(body.messages.filter(({ role }) => role === "assistant").length, body),
      judge: () => ({ content: judge, finish_reason: judgeEnd }),
    },
  })
  onTestFinished(() => server.close())
  const url = `${server.url}/v1`
  const file = `model: "${url}#agent"\ndata: [{ order: A1 }]\n${yaml.replaceAll("URL", url)}`
  const [{ content }] = readEvaluationCells(parseYaml(file, "eval.yaml"))
  const { target, config } = content as { target: Parameters<typeof planOf>[0]; config: EvaluationConfigBody }
  const plan = await planOf(target, config)
  onTestFinished(() => plan.close())
  const { lines, failures, tasks } = await createRunner()(plan)
  return { row: lines.at(-1) as EvaluationRow, failures, metrics: tasks[0]?.metrics, requests: server.requests }
}

const USER = `
user:
  model: "URL#user"
  goal: "Cancel {{ order }}."
  facts: ["The order is {{ order }}."]
  persona: Impatient.
`
const CHECKS = "checks: [ contains: Bye ]\n"
const writes =
  (...texts: readonly string[]): Replies["user"] =>
  (turn) => ({ content: texts[turn] ?? "[STOP]" })

describe("a simulated user", () => {
  it(
    "writes the messages until it has what it wants, and the row has what it was asked",
    verifies("run.user"),
    async () => {
      const { row, requests } = await hold(USER + CHECKS, { user: writes("Cancel A1!", "Bye") })
      expect(row).toMatchObject({
        error: null,
        sample: { end: "stopped" },
        scores: { contains: { "string-check": 1 } },
      })
      expect(row.turns?.map(({ user }) => user)).toEqual(["Cancel A1!", "Bye"])
      const [system, begin, ...others] = row.sample?.user?.messages ?? []
      expect(system?.content).toMatch(/Impatient\.[^]*Cancel A1\.[^]*- The order is A1\.[^]*\[STOP\]/)
      expect(begin?.role).toBe("user")
      expect(others.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`)).toEqual([
        'assistant: "Cancel A1!"',
        'user: "You said Cancel A1!"',
        'assistant: "Bye"',
        'user: "You said Bye"',
        'assistant: "[STOP]"',
      ])
      // The target never sees what the user was told.
      const asked = requests.filter(({ chat }) => chat?.model === "agent").map(({ body }) => body)
      expect(asked.join("")).not.toContain("Impatient")
    },
  )

  it.each([
    ["limits: { turns: 3 }\n", "limit_turns", 3],
    ["", "limit_turns", 100],
  ])("that never ends is ended by a limit: %j", async (limits, end, turns) => {
    const { row } = await hold(USER + CHECKS + limits, { user: () => ({ content: "More!" }) })
    expect([row.sample?.end, row.turns?.length]).toEqual([end, turns])
  })

  it("ends when an answer passes a check", async () => {
    const { row } = await hold(`${USER}  stop: { contains: "said b" }\n${CHECKS}`, { user: writes("a", "b", "c") })
    expect([row.sample?.end, row.turns?.length]).toEqual(["stopped", 2])
  })

  it.each([
    ["yes", 1, 1],
    ["No, it invented a name.", 0, undefined],
    ["yes and no", "NaN", 1],
  ])("whose judge says %j has %j as kept_facts, and its failure is not the target's", async (judge, kept, score) => {
    const { row, metrics } = await hold(`${USER}  judge: "URL#judge"\n${CHECKS}gates: [ user >= 0.5 ]`, {
      user: writes("Bye"),
      judge,
    })
    expect(row.scores["user"]).toEqual({ kept_facts: kept })
    expect(row.scores["contains"]).toEqual(score === undefined ? {} : { "string-check": score })
    expect(metrics?.["contains"]?.["string-check"]?.counts).toMatchObject({ errored: 0, scored: score ?? 0 })
    expect(row.sample?.user?.verdict).toBe(judge)
  })

  it.each([
    ["There are no invented facts.", "stop", "NaN"],
    ["No", "length", "NaN"],
    ["<think>No fact is", "length", "NaN"],
    [`<think>No, or yes?</think>\nYes.`, "stop", 1],
    ["It kept to all of them: yes", "stop", 1],
  ])("whose judge says %j with finish_reason %s has %j as kept_facts", async (judge, judgeEnd, kept) => {
    const { row } = await hold(`${USER}  judge: "URL#judge"\n${CHECKS}`, { user: writes("Bye"), judge, judgeEnd })
    expect(row.scores["user"]).toEqual({ kept_facts: kept })
  })

  it("whose judge says no at first and yes after a long text has no kept_facts", async () => {
    const judge = `No. ${"x ".repeat(1000)} So: yes`
    const { row } = await hold(`${USER}  judge: "URL#judge"\n${CHECKS}`, { user: writes("Bye"), judge })
    expect(row.scores["user"]).toEqual({ kept_facts: "NaN" })
  })

  it("writes no reasoning if its model removes it", async () => {
    const model = "model: { url: URL, model: user, reasoning: { remove: true } }"
    const { row } = await hold(USER.replace('model: "URL#user"', model) + CHECKS, {
      user: writes("<think>I want to cancel.</think>Bye", "<think>Done?</think>[STOP]"),
    })
    expect(row.turns?.map(({ user }) => user)).toEqual(["Bye"])
  })

  it.each([
    [writes(""), "The simulated user wrote nothing"],
    [writes(), "ended the conversation before its first message"],
    [(): FakeChatReply => ({ content: null }), "wrote nothing"],
  ])("that fails says so in the error of its row", async (user, why) => {
    const { failures } = await hold(USER + CHECKS, { user })
    expect(failures.map(({ code, message }) => `${code}: ${message}`)).toEqual([expect.stringContaining(why)])
  })

  it("excludes turns", () => {
    const file = (yaml: string) => () =>
      readEvaluationCells(parseYaml(`model: http://h/v1#m\ndata: r.csv\n${yaml}`, "e"))
    const user = "user: { model: http://h/v1#u, goal: g }\n"
    expect(file(`${user}turns: [ { user: a } ]\nchecks: [latency]`)).toThrow("'user': can't be beside 'turns'")
    expect(file(`${user}prompt: x\nchecks: [latency]`)).toThrow("can't be beside 'user'")
    expect(file(user)).toThrow("'checks' is missing")
    expect(file(`${user.replace(", goal: g", "")}checks: [latency]`)).toThrow("'user.goal': it is missing")
  })
})
