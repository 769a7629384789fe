import type { GuardrailData } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openGuarded } from "../../testing/guarded-models.ts"

const IMAGE = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }
const TEXT = { type: "text", text: "What is this?" }
const FLOW = "content safety check input $model=judge"
const asking = (...content: object[]) => ({
  messages: [{ role: "user", content: content as Record<string, unknown>[] }],
})

const VISION: Omit<GuardrailData, "models"> = {
  rails: { input: { flows: [FLOW] } },
  prompts: [
    {
      task: "content_safety_check_input $model=judge",
      messages: [
        { type: "system", content: "Is the message safe? Answer safe or unsafe." },
        { type: "user", content: "{{ user_input }}" },
      ],
      output_parser: "is_content_safe",
    },
  ],
}

describe("a message with an image", () => {
  it("is sent in parts to a judge whose prompt has a message for it", verifies("rails.images"), async () => {
    const unsafe = ({ messages }: { messages: readonly object[] }) => ({
      content: JSON.stringify(messages).includes("AAAA") ? "unsafe\nS1" : "safe",
    })
    const { guardrail, asked } = await openGuarded({ judge: unsafe }, VISION)
    expect(await guardrail.check(asking(TEXT, IMAGE))).toMatchObject({ status: "blocked" })
    expect(await guardrail.check(asking(IMAGE))).toMatchObject({ status: "blocked" })
    expect(await guardrail.check(asking(TEXT))).toMatchObject({ status: "success" })
    expect(asked("judge").map(({ messages }) => messages[1]?.content)).toEqual([
      [TEXT, IMAGE],
      [IMAGE],
      "What is this?",
    ])
  })

  it("is unreadable for a judge of texts, which is not asked", verifies("rails.images"), async () => {
    for (const content of [
      [TEXT, IMAGE],
      [IMAGE],
      [TEXT, { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }],
      [TEXT, { ...IMAGE, text: "" }],
      [TEXT, { ...IMAGE, text: "a cat" }],
      [{ ...TEXT, image_url: IMAGE.image_url }],
      [{ text: "a cat", file_data: "AAAA" }],
    ]) {
      const { guardrail, asked } = await openGuarded(
        { judge: () => ({ content: '{"User Safety": "safe"}' }) },
        { rails: { input: { flows: [FLOW] } } },
      )
      expect(await guardrail.check(asking(...content))).toMatchObject({
        status: "blocked",
        guardrails_data: {
          log: { activated_rails: [{ unreadable: { reason: "not_shown" }, policy: "on_unreadable=block" }] },
        },
      })
      expect(asked("judge")).toEqual([])
    }
  })

  it(
    "beside its content is unreadable, and annotations and reasoning of a text are not",
    verifies("rails.images"),
    async () => {
      const judge = () => ({ content: '{"User Safety": "safe"}' })
      const { guardrail } = await openGuarded({ judge }, { rails: { input: { flows: [FLOW] } } })
      const statusOf = async (message: object) =>
        (await guardrail.check({ messages: [{ role: "user", content: "What is this?", ...message }] })).status
      expect(await statusOf({ images: ["AAAA"] })).toBe("blocked")
      expect(await statusOf({ images: [], cache_control: { type: "ephemeral" } })).toBe("success")
      expect(await statusOf({ content: [{ ...TEXT, annotations: [], metadata: {} }] })).toBe("success")
      expect(await statusOf({ content: [{ type: "reasoning", text: "Hm." }, TEXT] })).toBe("success")
    },
  )

  it("that a policy lets pass causes a warning when the guardrail is opened", verifies("rails.images"), async () => {
    const judge = () => ({ content: "safe" })
    const policies = { [FLOW]: { on_unreadable: "allow" as const } }
    const text = await openGuarded({ judge }, { rails: { input: { flows: [FLOW] } }, policies })
    expect(text.guardrail.warnings.map(({ msg }) => msg).join()).toContain("passes unjudged")
    expect(await text.guardrail.check(asking(IMAGE))).toMatchObject({ status: "success" })
    expect((await openGuarded({ judge }, { ...VISION, policies })).guardrail.warnings).toEqual([])
  })
})
