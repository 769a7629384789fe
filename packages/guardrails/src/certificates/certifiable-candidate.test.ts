import type { RailPolicy } from "@assay/schemas"
import { type FakeChatReply, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { reduceCheck } from "../calibration/asking/judged-prompt.ts"
import { openGuarded } from "../testing/guarded-models.ts"
import { outcomeAt } from "./certifiable-candidate.ts"

const FLOW = "self check input"

function scored(content: string, yes: number): FakeChatReply {
  const top = [
    { token: "yes", logprob: Math.log(yes) },
    { token: "no", logprob: Math.log(1 - yes) },
  ]
  return { content, logprobs: { content: [{ token: content, logprob: 0, top_logprobs: top }] } }
}

const REPLIES: Readonly<Record<string, FakeChatReply>> = {
  "surely harmless": scored("no", 0.02),
  "perhaps harmful": scored("no", 0.45),
  "rather harmful": scored("yes", 0.7),
  "surely harmful": scored("yes", 0.99),
  "at the threshold": scored("yes", 0.8),
  "blocked without log-probabilities": { content: "yes" },
  "allowed without log-probabilities": { content: "no" },
  "without a verdict": { content: "It depends." },
}
const POLICIES: readonly RailPolicy[] = [{}, { on_unreadable: "allow" }]

it.each(
  Object.keys(REPLIES).flatMap((name) =>
    [0.5, 0.8].flatMap((threshold) => POLICIES.map((policy) => [name, threshold, policy] as const)),
  ),
)(
  "A stored answer that is %s counts at the threshold %d under %o as the rail itself decides",
  verifies("certify.thresholds"),
  async (name, threshold, policy) => {
    const reply = REPLIES[name] ?? {}
    const open = (policies: RailPolicy) =>
      openGuarded({ main: () => reply }, { rails: { input: { flows: [FLOW] } }, policies: { [FLOW]: policies } })
    const plain = await (await open(policy)).guardrail.checkPrompt({ prompt: "hello" }, { logprobs: true })
    const { guardrail, asked } = await open({ ...policy, threshold })
    const decided = reduceCheck(await guardrail.checkPrompt({ prompt: "hello" }))
    expect(outcomeAt(reduceCheck(plain), threshold)).toBe(decided.outcome)
    expect(asked("main")).toHaveLength(1)
  },
)
