import type { EnsembleKind, RailPolicy } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { chatOf, openGuarded } from "../../testing/guarded-models.ts"

type Says = "yes" | "no" | "Hm." | "fails" | "never"
const flowOf = (index: number) => `self check input $model=m${index}`

function reply(says: Says) {
  if (says === "never") return new Promise<never>(() => undefined)
  return says === "fails"
    ? ({ fault: { kind: "condition", condition: "forbidden" } } as const)
    : { content: says, usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 } }
}

/** Returns the result of an ensemble of judges with these answers. */
async function check(kind: EnsembleKind, says: readonly Says[], policies: Readonly<Record<string, RailPolicy>> = {}) {
  const models = Object.fromEntries(says.map((word, index) => [`m${index}`, () => reply(word)]))
  const { guardrail, server } = await openGuarded(models, {
    rails: { input: { flows: ["ensemble guard"] } },
    ensembles: [{ name: "guard", kind, flows: says.map((_, index) => flowOf(index)) }],
    policies,
  })
  const { guardrails_data } = await guardrail.check(chatOf("hello"))
  const [rail] = guardrails_data.log.activated_rails
  if (rail === undefined) throw new Error("the ensemble left no entry in the log")
  return { ...rail, asked: rail.members?.map(({ asked }) => asked), calls: server.requests.length }
}

describe("majority", () => {
  it("decides by more than half of the votes", verifies("ensemble.majority"), async () => {
    expect(await check("majority", ["yes", "no", "yes"])).toMatchObject({ status: "blocked", calls_saved: 0, calls: 3 })
    expect(await check("majority", ["no", "no", "yes"])).toMatchObject({
      status: "success",
      usage: { total_tokens: 9 },
    })
  })

  it("lets unreadable and failing members abstain", async () => {
    expect(await check("majority", ["Hm.", "no", "fails"])).toMatchObject({ status: "success", policy: null })
  })

  it("is unreadable without a majority, and its own policy decides", async () => {
    expect(await check("majority", ["yes", "no"])).toMatchObject({
      status: "blocked",
      unreadable: { reason: "contradictory" },
      policy: "on_unreadable=block",
    })
    const found = await check("majority", ["Hm.", "Hm."], { "ensemble guard": { on_unreadable: "allow" } })
    expect(found).toMatchObject({ status: "success", unreadable: { raw: "Hm." }, policy: "on_unreadable=allow" })
  })

  it("throws the failure if no member votes", async () => {
    await expect(check("majority", ["fails", "Hm."])).rejects.toMatchObject({ code: "inference_unauthorized" })
  })
})

describe("any-block", () => {
  it("blocks if one member does, and cancels the rest", verifies("ensemble.any-block"), async () => {
    const found = await check("any-block", ["never", "no", "yes"])
    expect(found).toMatchObject({ status: "blocked", verdict: { user_safety: "unsafe" }, asked: [true, true, true] })
    expect(await check("any-block", ["no", "no"])).toMatchObject({ status: "success", calls_saved: 0 })
  })

  it("counts an unreadable member by its policy", async () => {
    expect(await check("any-block", ["no", "Hm."])).toMatchObject({ status: "blocked", policy: "on_unreadable=block" })
    const policies = { [flowOf(1)]: { on_unreadable: "allow" as const } }
    expect(await check("any-block", ["no", "Hm."], policies)).toMatchObject({ status: "success" })
  })
})

describe("cascade", () => {
  it(
    "asks the next member only if one does not say safe, and reports the saved calls",
    verifies("ensemble.cascade"),
    async () => {
      const found = await check("cascade", ["no", "yes", "yes"])
      expect(found).toMatchObject({ status: "success", calls: 1, calls_saved: 2, asked: [true, false, false] })
      for (const first of ["yes", "Hm.", "fails"] as const) {
        expect(await check("cascade", [first, "no"])).toMatchObject({ status: "success", calls: 2, calls_saved: 0 })
      }
    },
  )

  it("lets the last member decide under its own policy", async () => {
    expect(await check("cascade", ["yes", "yes"])).toMatchObject({ status: "blocked", policy: null })
    const policies = { [flowOf(1)]: { on_unreadable: "allow" as const } }
    expect(await check("cascade", ["yes", "Hm."], policies)).toMatchObject({
      status: "success",
      policy: "on_unreadable=allow",
    })
    await expect(check("cascade", ["yes", "fails"])).rejects.toMatchObject({ code: "inference_unauthorized" })
  })
})

describe("an ensemble", () => {
  it("can ask another one", async () => {
    const models = { m0: () => reply("yes"), m1: () => reply("no"), m2: () => reply("no") }
    const { guardrail, server } = await openGuarded(models, {
      rails: { input: { flows: ["ensemble outer"] } },
      ensembles: [
        { name: "outer", kind: "cascade", flows: [flowOf(0), "ensemble inner"] },
        { name: "inner", kind: "any-block", flows: [flowOf(1), flowOf(2)] },
      ],
    })
    const { guardrails_data, status } = await guardrail.check(chatOf("hello"))
    expect(status).toBe("success")
    expect(guardrails_data.log.activated_rails[0]?.members).toMatchObject([
      { name: flowOf(0), status: "blocked" },
      { name: "ensemble inner", status: "success" },
    ])
    expect(server.requests).toHaveLength(3)
  })
})
