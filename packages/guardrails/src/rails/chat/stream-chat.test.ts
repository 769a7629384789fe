import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { chatOf, openGuarded } from "../../testing/guarded-models.ts"

type Chunk = Readonly<Record<string, unknown>>
const OUTPUT = "self check output $model=judge"
const PROMPTS = [{ task: "self_check_output", content: "{{ bot_response }}" }]
const judge = ({ messages }: { messages: readonly { content?: unknown }[] }) => ({
  content: String(messages[0]?.content).includes("secret word") ? "yes" : "no",
})

function dataOf(chunk_size: number, context_size: number) {
  return {
    rails: { output: { flows: [OUTPUT], streaming: { chunk_size, context_size } } },
    prompts: PROMPTS,
    refusal: "Not here.",
  }
}

const choiceOf = (chunk: Chunk | undefined) =>
  (chunk?.["choices"] as { delta: { content?: string }; finish_reason: string | null }[] | undefined)?.[0]
const textOf = (chunks: readonly Chunk[]) => chunks.map((chunk) => choiceOf(chunk)?.delta.content ?? "").join("")

describe("stream", () => {
  it("yields the text of the model window by window", verifies("rails.streaming"), async () => {
    const content = "one two three four five six seven"
    const { guardrail, asked } = await openGuarded({ main: () => ({ content }), judge }, dataOf(10, 4))
    const chunks = await Array.fromAsync(guardrail.stream(chatOf("count")))
    expect(textOf(chunks)).toBe(content)
    expect(choiceOf(chunks.at(-1))?.finish_reason).toBe("stop")
    expect(asked("judge").map(({ messages }) => messages[0]?.content)).toEqual([
      "one two three ",
      "ree four five ",
      "ive six seven",
    ])
  })

  it("finds words that are split over two windows, and ends with the refusal", async () => {
    const content = "this is the secret word and more of it"
    const { guardrail } = await openGuarded({ main: () => ({ content }), judge }, dataOf(18, 10))
    const chunks = await Array.fromAsync(guardrail.stream(chatOf("tell me")))
    expect(textOf(chunks)).toBe("this is the secret Not here.")
    expect(choiceOf(chunks.at(-1))).toMatchObject({ finish_reason: "content_filter" })
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  })

  it("returns one chunk and asks no model if input rails block", async () => {
    const rails = { input: { flows: ["self check input"] } }
    const { guardrail, asked } = await openGuarded({ main: () => ({ content: "yes" }) }, { rails })
    const chunks = await Array.fromAsync(guardrail.stream(chatOf("hello")))
    expect(chunks).toMatchObject([
      { object: "chat.completion.chunk", choices: [{ delta: { role: "assistant" }, finish_reason: "content_filter" }] },
    ])
    expect(asked("main").map(({ stream }) => stream ?? false)).toEqual([false])
  })

  it("ends with the usage if the chat asks for it, also if rails block", verifies("openai.blocked"), async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
    const asking = { ...chatOf("tell me"), stream_options: { include_usage: true } }
    const said = { content: "this is the secret word", usage }
    const { guardrail } = await openGuarded({ main: () => said, judge }, dataOf(1000, 0))
    const chunks = await Array.fromAsync(guardrail.stream(asking))
    expect(chunks.slice(-2)).toMatchObject([
      { choices: [{ delta: { content: "Not here." }, finish_reason: "content_filter" }] },
      { choices: [], usage },
    ])
    const rails = { input: { flows: ["self check input"] } }
    const early = await openGuarded({ main: () => ({ content: "yes" }) }, { rails })
    const nothing = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    expect((await Array.fromAsync(early.guardrail.stream(asking))).at(-1)).toMatchObject({ usage: nothing })
    expect(await Array.fromAsync(early.guardrail.stream(chatOf("tell me")))).toHaveLength(1)
  })

  it("holds tool calls until the rails have seen all of them", async () => {
    const toolCalls = [{ index: 0, id: "c1", type: "function", function: { name: "pay", arguments: '{"to": "me"}' } }]
    const flow = "tool safety check output $model=judge"
    const models = { main: () => ({ content: "One moment.", toolCalls }), judge: () => ({ content: "unsafe: stolen" }) }
    const { guardrail, asked } = await openGuarded(models, { rails: { output: { flows: [flow] } } })
    const chunks = await Array.fromAsync(guardrail.stream(chatOf("hello")))
    expect(JSON.stringify(chunks)).not.toContain("pay")
    expect(choiceOf(chunks.at(-1))?.finish_reason).toBe("content_filter")
    expect(String(asked("judge")[0]?.messages[0]?.content)).toContain("pay")
  })

  it("yields chunks unchanged if there are no output rails", async () => {
    const { guardrail } = await openGuarded({ main: () => ({ content: "a secret word" }) }, { rails: {} })
    expect(textOf(await Array.fromAsync(guardrail.stream(chatOf("hello"))))).toBe("a secret word")
  })

  it("aborts the call of the model when the reader stops", async () => {
    const main = () => ({ fault: { kind: "hang-in-body", after: 400 } }) as const
    const { guardrail, server } = await openGuarded({ main }, { rails: {} })
    for await (const chunk of guardrail.stream(chatOf("hello"))) {
      expect(chunk).toMatchObject({ object: "chat.completion.chunk" })
      break
    }
    await expect.poll(() => server.countOpenAnswers()).toBe(0)
  })

  it("aborts the call of the model when a window is blocked", async () => {
    const models = {
      main: () => ({ fault: { kind: "hang-in-body", after: 800 } }) as const,
      judge: ({ messages }: { messages: readonly { content?: unknown }[] }) => ({
        content: String(messages[0]?.content).includes("told") ? "yes" : "no",
      }),
    }
    const { guardrail, server } = await openGuarded(models, dataOf(5, 0))
    const chunks = await Array.fromAsync(guardrail.stream(chatOf("hello")))
    expect(textOf(chunks)).toBe("It was Not here.")
    await expect.poll(() => server.countOpenAnswers()).toBe(0)
  })

  it("ends with an error if a judge gives no verdict and the policy is error", async () => {
    const data = { ...dataOf(10, 4), policies: { [OUTPUT]: { on_unreadable: "error" as const } } }
    const models = { main: () => ({ content: "some text" }), judge: () => ({ content: "Hm." }) }
    const { guardrail } = await openGuarded(models, data)
    await expect(Array.fromAsync(guardrail.stream(chatOf("hello")))).rejects.toMatchObject({
      code: "judge_output_unreadable",
    })
  })
})
