import type { ChatAnswer } from "@assay/inference"
import type { BoundMetric } from "@assay/scoring"
import { expect, it } from "vitest"
import { tinySample } from "../testing/tiny-plan.ts"
import { scoreSample } from "./score-sample.ts"

const answer = (text: string): ChatAnswer => ({
  text,
  reasoning: `why ${text}`,
  refusal: null,
  finishReason: "stop",
  toolCalls: [],
  logprobs: null,
  usage: null,
  latencyMs: 1,
  attempts: 1,
  body: {},
})

/** Asks two questions at the same time. The second one is answered first. */
function judge(key: string, isReadable: boolean): BoundMetric {
  return {
    key,
    type: "judge",
    scores: [key],
    isRemote: true,
    async score(_input, { judgeAnswers }) {
      const second = Promise.withResolvers<ChatAnswer>()
      if (judgeAnswers === undefined) throw new TypeError("Answers are kept or given.")
      const { answer: ask } = judgeAnswers
      const asked = [ask(() => second.promise.then(() => answer("1"))), ask(() => second.promise)]
      second.resolve(answer("2"))
      const texts = (await Promise.all(asked)).map(({ text }) => Number(text))
      const unreadable = isReadable ? {} : { unreadable: { reason: "no_verdict", raw: "" } }
      return { scores: { [key]: (texts[0] ?? 0) * 10 + (texts[1] ?? 0) }, ...unreadable }
    },
  }
}

const options = { signal: new AbortController().signal, onRetry: () => {} }
const input = { item: {}, sample: tinySample("output") }

it("keeps the answers of judges in the order of their questions, and gives the same scores from them without asking", async () => {
  const metrics = [judge("read", true), judge("unread", false)]
  const found = await scoreSample(metrics, input, options)
  expect(found).toMatchObject({
    scores: { read: { read: 12 }, unread: { unread: 12 } },
    judgeAnswers: {
      read: [
        { text: "1", finish_reason: "stop" },
        { text: "2", finish_reason: "stop" },
      ],
      unread: [{ text: "1", reasoning: "why 1" }, { text: "2" }],
    },
  })
  expect(found.judgeAnswers?.["read"]?.[0]).not.toHaveProperty("reasoning")
  const stored = {
    ...found.judgeAnswers,
    read: [
      { text: "3", finish_reason: "stop" },
      { text: "4", finish_reason: null },
    ],
  }
  expect((await scoreSample(metrics, input, { ...options, storedAnswers: stored })).scores).toEqual({
    read: { read: 34 },
    unread: { unread: 12 },
  })
})

it("a metric whose stored answers are missing fails, and asks nobody", async () => {
  const found = await scoreSample([judge("read", true)], input, { ...options, storedAnswers: {} })
  expect([found.scores, found.failure?.code]).toEqual([{}, "bad_document"])
})
