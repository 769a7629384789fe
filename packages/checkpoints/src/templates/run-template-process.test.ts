import { describe, expect, it } from "vitest"
import { renderInProcess, runTemplateProcess } from "./run-template-process.ts"

const run = (template: string, signal?: AbortSignal, maxProcessorMs?: number) =>
  runTemplateProcess({ template, tokens: {} }, signal, maxProcessorMs)

const loops = ["a", "b", "c"].map((name) => `{% for ${name} in range(9999) %}`).join("")
const endless = `${loops}{% endfor %}{% endfor %}{% endfor %}`

describe("a template in a separate process", () => {
  it("returns its report", async () => {
    expect(await run("{{ messages[0].content }}")).toMatchObject({ fault: null, readsTools: false })
    expect(await run("\n{{ ; }}")).toMatchObject({ fault: { line: 2 } })
  })

  it("is ended after its processor time limit", async () => {
    expect((await run(endless, undefined, 500)).fault).toEqual({
      line: null,
      text: "takes more than 0.5 seconds to render",
      isGap: false,
    })
  }, 60_000)

  it("is ended if it uses too much memory", async () => {
    const rows = "{% for i in range(5000) %}{% set ns.a = ns.a + [range(9999)] %}{% endfor %}"
    const greedy = `{% set ns = namespace(a=[]) %}${rows}`
    expect((await run(greedy)).fault).toEqual({ line: null, text: "takes more than 64 MiB to render", isGap: false })
  }, 60_000)

  it("is refused if it is nested too deeply", async () => {
    const nested = await run(`{{ ${"(".repeat(100_000)}1${")".repeat(100_000)} }}`)
    expect(nested.fault?.text).toContain("nested too deeply")
    expect((await run(`{{ 1${" + 1".repeat(100_000)} }}`)).fault?.text).toContain("nested too deeply")
  }, 60_000)

  it("is abandoned at once when the caller aborts", async () => {
    const started = AbortSignal.timeout(300)
    await expect(run(endless, started)).rejects.toThrow("aborted due to timeout")
    await expect(run(endless, AbortSignal.abort(new Error("not even begun")))).rejects.toThrow("not even begun")
  })
})

describe("a conversation of a user", () => {
  const conversation = {
    messages: [{ role: "user", content: "hi" }],
    tools: null,
    documents: null,
    add_generation_prompt: true,
  }
  const render = (template: string) => renderInProcess({ template, tokens: { bos_token: "<s>" } }, conversation)

  it("is rendered with the tokens of the tokenizer, or has the line that fails", async () => {
    const template = "{{ bos_token }}{% for m in messages %}\n{{ m.role }}: {{ m.content }}{% endfor %}"
    const rendered = await Promise.all([render(template), render("a\n{{ messages.nothing() }}"), render("{{ ; }}")])
    expect(rendered).toMatchObject([
      { text: "<s>user: hi", fault: null },
      { text: null, fault: { line: 2 } },
      { text: null, fault: { line: 1 } },
    ])
  })
})
