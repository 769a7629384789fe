import { readFileSync } from "node:fs"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { signWebhook } from "./sign-webhook.ts"
import { webhookBody } from "./webhook-body.ts"
import type { WebhookMessage } from "./webhook-message.ts"

const MESSAGE: WebhookMessage = {
  id: "msg_eval-1_0",
  type: "evaluation.job.ended",
  timestamp: "2026-11-20T00:00:00.000Z",
  data: {
    workspace: "default",
    job: "eval-1",
    name: "<!channel> & <https://host.example/x|click> \u202E",
    status: "COMPLETED",
    message: "",
    attempt: 1,
    verdict: "FAIL",
    gates: [{ name: "qa.same.em", limit: ">= 0.8", value: 0.5, verdict: "FAIL" }],
    scores: [{ name: "qa.same.em", value: 0.5, low: 0.4, high: 0.6 }],
    scores_total: 1,
    url: "https://assay.example/jobs/eval-1",
  },
}
const textOf = (message: WebhookMessage) => (JSON.parse(webhookBody("slack")(message)) as { text: string }).text

describe("the signature of a webhook", () => {
  it("is that of Standard Webhooks, one for each secret", verifies("webhooks.signature"), () => {
    const content = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    const other = `whsec_${Buffer.alloc(24, 1).toString("base64")}`
    expect(signWebhook(content, [secret])).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    })
    expect(signWebhook(content, [other, secret])["webhook-signature"]).toMatch(/^v1,\S{44} v1,g0hM9\S+$/)
    expect(Object.keys(signWebhook(content, []))).toEqual(["webhook-id", "webhook-timestamp"])
  })
})

it(
  "The code of the guide accepts a signature, and refuses another body, secret or time",
  verifies("webhooks.signature"),
  async () => {
    const guide = readFileSync(new URL("../../../../docs/guides/webhooks.md", import.meta.url), "utf8")
    const [, code = ""] = /```js\n([^]*?)```/.exec(guide) ?? []
    const { isSigned } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { isSigned: IsSigned }
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
    const body = '{"a":"ü"}'
    const headers = signWebhook({ id: "msg_1", timestamp: 1000, body }, ["whsec_AAAA", secret])
    expect(isSigned(headers, body, secret, 1_000_000)).toBe(true)
    const others = [isSigned(headers, "{}", secret, 1_000_000), isSigned(headers, body, "whsec_BBBB", 1_000_000)]
    expect([...others, isSigned(headers, body, secret, 1_400_000), isSigned({}, body, secret)]).toEqual([
      false,
      false,
      false,
      false,
    ])
  },
)

type IsSigned = (headers: Readonly<Record<string, string>>, body: string, secret: string, now?: number) => boolean

describe("the body of a webhook", () => {
  it("for Slack is a text in which names can't call people or make links", verifies("webhooks.body"), () => {
    expect(textOf(MESSAGE).split("\n")).toEqual([
      "❌ *FAIL* <https://assay.example/jobs/eval-1|default/&lt;!channel&gt; &amp; &lt;https://host.example/x¦click&gt; ⟨U+202E⟩>",
      "• qa.same.em &gt;= 0.8: 0.5, FAIL",
    ])
    const failed = {
      ...MESSAGE.data,
      status: "FAILED",
      message: "Too many rows failed.",
      verdict: null,
      gates: [],
      url: null,
      name: "qa",
    }
    expect(textOf({ ...MESSAGE, data: failed })).toBe(
      "❌ *FAILED* default/qa\nToo many rows failed.\n• qa.same.em: 0.5 (0.4 to 0.6)",
    )
    const scores = Array.from({ length: 50 }, () => ({ name: "s", value: null, low: null, high: null }))
    expect(textOf({ ...MESSAGE, data: { ...failed, scores } })).toMatch(/(\n• s: –){10}\n… 40 more$/)
  })

  it("can come from a template, whose texts are escaped as JSON", verifies("webhooks.body"), () => {
    const format = webhookBody('{"card": {{ data.name | tojson }}, "ok": {{ (data.verdict == "PASS") | tojson }}}')
    expect(JSON.parse(format(MESSAGE))).toEqual({ card: MESSAGE.data.name, ok: false })
  })

  it.each([
    ["yaml", "is not a format"],
    ["{{ data.nam | tojson }}", "can't be filled in"],
    ["{% if %}{{ x }}", "is not a template"],
    ['{"text": "{{ data.name }}"}', "does not make JSON"],
    ["{{ data.gates[0].name | tojson }}", "can't be filled in"],
  ])("is refused at the start if its template is wrong: %s", verifies("webhooks.body"), (template, reason) => {
    expect(() => webhookBody(template)).toThrow(
      expect.objectContaining({ code: "bad_settings", message: expect.stringContaining(reason) }),
    )
  })
})
