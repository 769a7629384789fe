import { AssayError, RAIL_DECISIONS, type RailPolicy } from "@assay/schemas"
import { type FakeChatFault, type FakeChatReply, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { chatOf, openGuarded } from "../testing/guarded-models.ts"

const FLOW = "content safety check input $model=judge"
const PROMPTS = [{ task: "content_safety_check_input", content: "{{ user_input }}" }]
const STATUSES = { block: "blocked", allow: "success", error: "unknown" } as const
const REPLIES = {
  on_unreadable: { content: "I would rather not say." },
  on_controversial: { content: "Safety: Controversial\nCategories: None" },
  on_error: { fault: { kind: "condition", condition: "forbidden" } },
} as const satisfies Record<string, FakeChatReply | FakeChatFault>

function openWith(reply: FakeChatReply | FakeChatFault, policy: RailPolicy | null) {
  const models = { main: () => ({ content: "An answer." }), judge: () => reply }
  return openGuarded(models, {
    prompts: PROMPTS,
    rails: { input: { flows: [FLOW] } },
    ...(policy === null ? {} : { policies: { [FLOW]: policy } }),
  })
}

describe("policies", () => {
  for (const key of ["on_unreadable", "on_controversial", "on_error"] as const) {
    for (const decision of RAIL_DECISIONS) {
      it(`decide as ${key}=${decision} demands, and the log names the policy`, verifies("rails.policies"), async () => {
        const { guardrail } = await openWith(REPLIES[key], { [key]: decision })
        const checked = guardrail.check(chatOf("hello"))
        if (key === "on_error" && decision === "error") {
          await expect(checked).rejects.toMatchObject({ code: "inference_unauthorized" })
          return
        }
        const status = STATUSES[decision]
        const { guardrails_data, ...rest } = await checked
        expect(rest).toEqual({ status, rails_status: { [FLOW]: { status } } })
        const [rail] = guardrails_data.log.activated_rails
        expect(rail).toMatchObject({ name: FLOW, status, policy: `${key}=${decision}` })
        expect(rail?.error?.code).toBe(key === "on_error" ? "inference_unauthorized" : undefined)
        expect(rail?.unreadable?.reason).toBe(key === "on_unreadable" ? "no_verdict" : undefined)
      })
    }
  }

  it("block unreadable and controversial answers and pass failures on by default", async () => {
    for (const key of ["on_unreadable", "on_controversial"] as const) {
      const { guardrail } = await openWith(REPLIES[key], null)
      expect(await guardrail.check(chatOf("hello"))).toMatchObject({ status: "blocked" })
    }
    const { guardrail } = await openWith(REPLIES.on_error, null)
    await expect(guardrail.check(chatOf("hello"))).rejects.toMatchObject({ code: "inference_unauthorized" })
  })

  it("pass on a rate limit with its time to wait", verifies("rails.on-error"), async () => {
    const fault = { kind: "condition", condition: "rate-limited", retryAfter: 61 } as const
    const { guardrail } = await openWith({ fault }, null)
    await expect(guardrail.check(chatOf("hello"))).rejects.toMatchObject({
      code: "rate_limited",
      status: 429,
      context: { retry_after_ms: 61_000 },
    })
  })

  it(
    "classify a judge's 400 by its body, or else as a bad answer",
    verifies("rails.bad-request-of-judge"),
    async () => {
      const overflow = await openWith({ fault: { kind: "condition", condition: "context-overflow" } }, null)
      await expect(overflow.guardrail.check(chatOf("hello"))).rejects.toMatchObject({ code: "context_overflow" })
      const unclear = await openWith({ fault: { kind: "answer", status: 400, body: { error: "no" } } }, null)
      await expect(unclear.guardrail.check(chatOf("hello"))).rejects.toMatchObject({ code: "bad_response" })
    },
  )

  it("make a check without a verdict unknown, and a chat fail", verifies("rails.on-unreadable-error"), async () => {
    const { guardrail, asked } = await openWith(REPLIES.on_unreadable, { on_unreadable: "error" })
    expect(await guardrail.check(chatOf("hello"))).toMatchObject({ status: "unknown" })
    await expect(guardrail.complete(chatOf("hello"))).rejects.toMatchObject({
      code: "judge_output_unreadable",
      message: expect.stringContaining(FLOW),
    })
    expect(asked("main")).toEqual([])
  })

  it("do not apply if the verdict is clear", async () => {
    const { guardrail } = await openWith({ content: '{"User Safety": "unsafe"}' }, { on_unreadable: "allow" })
    const { guardrails_data } = await guardrail.check(chatOf("hello"))
    expect(guardrails_data.log.activated_rails).toMatchObject([{ status: "blocked", policy: null }])
  })

  it("treat a verdict on the other side only as no verdict", async () => {
    const { guardrail } = await openWith({ content: '{"Response Safety": "safe"}' }, null)
    const { guardrails_data } = await guardrail.check(chatOf("hello"))
    expect(guardrails_data.log.activated_rails).toMatchObject([
      { status: "blocked", verdict: null, unreadable: { reason: "no_verdict" }, policy: "on_unreadable=block" },
    ])
  })

  it("also apply if the endpoint must not be called", verifies("rails.link-local"), async () => {
    const refuse = () => {
      throw new AssayError("host_not_allowed", "Host '169.254.0.1' is link-local.")
    }
    const flow = "self check input"
    const data = { rails: { input: { flows: [flow] } }, policies: { [flow]: { on_error: "block" as const } } }
    const { guardrail, server } = await openGuarded({ main: () => ({ content: "no" }) }, data, {
      context: { checkEndpoint: refuse },
    })
    const { guardrails_data } = await guardrail.check(chatOf("hello"))
    expect(guardrails_data.log.activated_rails).toMatchObject([
      { policy: "on_error=block", error: { code: "inference_unreachable" } },
    ])
    expect(server.requests).toEqual([])
  })
})

/** Returns a judge that answers `said` and gives `unsafe` this probability. */
function scored(said: string, unsafe: number): FakeChatReply {
  const top = [
    { token: "unsafe", logprob: Math.log(unsafe) },
    { token: "safe", logprob: Math.log(1 - unsafe) },
  ]
  const logprob = Math.log(said === "safe" ? 1 - unsafe : unsafe)
  return {
    content: `Safety: ${said}`,
    logprobs: {
      content: [
        { token: "Safety:", logprob: 0, top_logprobs: [] },
        { token: said, logprob, top_logprobs: top },
      ],
    },
  }
}

describe("a threshold", () => {
  const statusOf = async (reply: FakeChatReply, policy: RailPolicy) => {
    const { guardrail, asked } = await openWith(reply, policy)
    const { status, guardrails_data } = await guardrail.check(chatOf("hello"))
    const { policy: decidedBy, unreadable } = guardrails_data.log.activated_rails[0] ?? {}
    return { status, decidedBy, reason: unreadable?.reason, logprobs: asked("judge")[0]?.["logprobs"] }
  }

  it.each([
    ["blocks a message that the verdict would let through", scored("safe", 0.3), 0.25, "blocked"],
    ["lets a message pass that the verdict would block", scored("unsafe", 0.7), 0.8, "success"],
  ])("%s, and the log names it", verifies("rails.thresholds"), async (_what, reply, threshold, status) => {
    const found = await statusOf(reply, { threshold })
    expect(found).toEqual({ status, decidedBy: `threshold=${threshold}`, reason: undefined, logprobs: true })
  })

  it.each([
    ["a verdict that blocks still blocks", { content: "Safety: unsafe" }, {}, "blocked", undefined],
    ["a safe verdict is unreadable", { content: "Safety: safe" }, {}, "blocked", "no_score"],
    [
      "a safe verdict follows on_unreadable",
      { content: "Safety: safe" },
      { on_unreadable: "error" },
      "unknown",
      "no_score",
    ],
    [
      "a controversial one that would pass is unreadable",
      REPLIES.on_controversial,
      { on_controversial: "allow" },
      "blocked",
      "no_score",
    ],
    ["a controversial one that blocks still blocks", REPLIES.on_controversial, {}, "blocked", undefined],
    [
      "a number that the judge writes is not one",
      { content: '{"flagged": false, "confidence": 0.01}' },
      {},
      "blocked",
      "no_score",
    ],
  ] as const)(
    "without log-probabilities, %s",
    verifies("rails.thresholds"),
    async (_what, reply, policy, status, reason) => {
      expect(await statusOf(reply, { threshold: 0.5, ...policy })).toMatchObject({ status, reason })
    },
  )

  it("does not use log-probabilities of a word that is not the verdict", verifies("rails.thresholds"), async () => {
    const quoted = { ...scored("safe", 0.01), content: "Safety: unsafe" }
    expect(await statusOf(quoted, { threshold: 0.5 })).toMatchObject({ status: "blocked", decidedBy: null })
  })

  it(
    "judges each member of an ensemble by its own score, and an ensemble cannot have one",
    verifies("rails.thresholds"),
    async () => {
      const models = { main: () => ({ content: "An answer." }), judge: () => scored("safe", 0.4) }
      const data = {
        prompts: PROMPTS,
        rails: { input: { flows: ["ensemble all"] } },
        ensembles: [{ name: "all", kind: "any-block" as const, flows: [FLOW] }],
      }
      const { guardrail } = await openGuarded(models, { ...data, policies: { [FLOW]: { threshold: 0.35 } } })
      expect((await guardrail.check(chatOf("hello"))).status).toBe("blocked")
      const wrong = openGuarded(models, { ...data, policies: { "ensemble all": { threshold: 0.35 } } })
      await expect(wrong).rejects.toMatchObject({ issues: [{ type: "ensemble_threshold" }] })
    },
  )
})
