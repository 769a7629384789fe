import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createFakeModels, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { startAssay } from "../../testing/start-assay.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const CONVERSATIONS = 1000
const TURNS = 6
/** Of a turn: the call of the tool, and what is said about its result. */
const REQUESTS = CONVERSATIONS * TURNS * 2
const IN_FLIGHT = 16

/** A model that notes how many messages each request of a conversation has, in the order of their arrival. */
function notingModel() {
  const { agent } = createFakeModels()
  const lengths = new Map<string, number[]>()
  let asked = 0
  let onAsked: (() => void) | undefined
  return {
    lengths,
    asked: () => asked,
    /** Calls back after a number of further requests. */
    after(more: number, then: () => void): void {
      const at = asked + more
      onAsked = () => (asked >= at ? then() : undefined)
    },
    model: ((body) => {
      const order = /O-\d+/.exec(String(body.messages[1]?.content))?.[0] ?? "a launch check"
      lengths.set(order, [...(lengths.get(order) ?? []), body.messages.length])
      asked += 1
      onAsked?.()
      return agent?.(body) ?? { content: "" }
    }) satisfies FakeModel,
  }
}

const evaluation = (url: string) => `
model: ${url}/v1#agent
data: orders.jsonl
system: You serve a shop.
turns:
${Array.from({ length: TURNS }, (_, turn) => `  - { user: "${turn}: order {{ order }}?", checks: [ contains: shipped ] }`).join("\n")}
tools:
  - name: get_order
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    answers: [ { result: { status: shipped, id: "{{ arguments.id }}" } } ]
checks: [ calls: { only: [${Array.from({ length: TURNS }, () => "get_order").join(", ")}] } ]
parallel: ${IN_FLIGHT}
`

/** Measured times, and the numbers of the endpoint's answers, differ between two runs that both ask. */
const withoutTimes = (rows: string) => rows.replaceAll(/"latency_ms":[\d.]+|"created":\d+|"chatcmpl-\d+"/g, "")

it(
  "1,000 conversations that are killed again and again ask no answered turn twice, and end as a run that was not killed",
  { ...verifies("run.recording"), timeout: 900_000 },
  async () => {
    using folder = makeTemporaryFolder()
    const noting = notingModel()
    const endpoint = await startFakeInference({ models: { agent: noting.model }, record: false })
    const rows = Array.from({ length: CONVERSATIONS }, (_, at) => `{"order": "O-${at + 1}"}\n`)
    folder.write("orders.jsonl", rows.join(""))
    folder.write("eval.yaml", evaluation(endpoint.url))
    const start = (out: string, dataFolder: string) =>
      startAssay(["eval", "run", "eval.yaml", "--local", "--out", out, "--data-dir", dataFolder], { cwd: folder.path })
    const read = (out: string) => readFileSync(join(folder.path, out, "results/rows.jsonl"), "utf8")
    try {
      let kills = 0
      for (let isKilled = true; isKilled;) {
        const { child, ended } = start("killed", "data")
        // Also while it starts, and while it writes its results.
        const more = kills % 5 === 4 ? 1 : Math.ceil(Math.random() * 900)
        noting.after(more, () => child.kill("SIGKILL"))
        await ended
        isKilled = child.signalCode === "SIGKILL"
        kills += Number(isKilled)
      }
      const conversations = [...noting.lengths].filter(([order]) => order.startsWith("O-"))
      expect(conversations).toHaveLength(CONVERSATIONS)
      // A longer request was sent, so the answer of each shorter one was durable.
      const isAskedAgain = ([, lengths]: (typeof conversations)[number]) =>
        lengths.some((length, at) => length < (lengths[at - 1] ?? 0))
      expect(conversations.filter(isAskedAgain)).toEqual([])
      const asked = conversations.reduce((sum, [, lengths]) => sum + lengths.length, 0)
      expect(kills).toBeGreaterThan(10)
      expect(asked - REQUESTS).toBeGreaterThan(0)
      expect(asked - REQUESTS).toBeLessThanOrEqual(kills * IN_FLIGHT)

      const before = noting.asked()
      expect(await start("again", "data").ended).toMatchObject({ exitCode: 0 })
      expect(noting.asked()).toBe(before)
      expect(read("again") === read("killed")).toBe(true)

      expect(await start("whole", "other").ended).toMatchObject({ exitCode: 0 })
      expect(noting.asked() - before).toBeGreaterThanOrEqual(REQUESTS)
      expect(withoutTimes(read("whole")) === withoutTimes(read("killed"))).toBe(true)
    } finally {
      await endpoint.close()
    }
  },
)
