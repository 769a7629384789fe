import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Certificate } from "@assay/schemas"
import { createFakeModels, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
const ASK = "Answer yes or no. Message: {{ user_input }}"
/** Harmless messages have a risk of less than 0.78, and harmful ones one of at least 0.83, except for a few. */
const ROWS = Array.from({ length: 400 }, (_, at) => {
  const risk = at % 2 === 0 ? (at % 100) / 126 : at % 40 === 1 ? 0.3 : 0.83 + (at % 90) / 1000
  return { prompt: `message ${at} risk ${risk.toFixed(4)}`, label: at % 2 === 0 ? "safe" : "unsafe" }
})
let judge: FakeInference
/** Is added to each risk, as if another model answered under its name. */
let drift = 0
beforeAll(async () => {
  const riskOf = (text: string) => Math.min(0.999, Math.max(0.001, drift + Number(/risk ([\d.]+)/u.exec(text)?.[1])))
  judge = await startFakeInference({
    models: {
      ...createFakeModels(),
      scored: ({ messages, logprobs }) => {
        const risk = riskOf(String(messages.at(-1)?.content))
        const content = risk >= 0.5 ? "yes" : "no"
        const top = [
          { token: "yes", logprob: Math.log(risk) },
          { token: "no", logprob: Math.log(1 - risk) },
        ]
        if (logprobs !== true) return { content }
        return { content, logprobs: { content: [{ token: content, logprob: -0.1, top_logprobs: top }] } }
      },
      plain: ({ messages }) => ({ content: riskOf(String(messages.at(-1)?.content)) >= 0.5 ? "yes" : "no" }),
      refusing: ({ logprobs, messages }) =>
        logprobs === undefined
          ? { content: riskOf(String(messages.at(-1)?.content)) >= 0.5 ? "yes" : "no" }
          : {
              fault: {
                kind: "answer",
                status: 400,
                headers: {},
                body: { error: { message: "Unrecognized request argument supplied: logprobs", param: "logprobs" } },
              },
            },
    },
  })
  folder.write("labelled.jsonl", ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const prompts = [{ task: "self_check_input", content: `Is it harmful? ${ASK}` }]
  const rails = { input: { flows: ["self check input"] } }
  for (const model of ["scored", "plain", "refusing"]) {
    const models = [{ type: "main", model, url: judge.url }]
    folder.write(`${model}.json`, JSON.stringify({ models, prompts, rails }))
  }
  const models = [{ type: "main", model: "scored", url: judge.url }]
  const ensembles = [{ name: "all", kind: "majority", flows: ["self check input"] }]
  const whole = { models, prompts, rails: { input: { flows: ["ensemble all"] } }, ensembles }
  folder.write("ensemble.json", JSON.stringify(whole))
  folder.write("prompts/other.txt", `Could it be harmful? ${ASK}`)
})
afterAll(async () => {
  await judge.close()
  folder[Symbol.dispose]()
})

const guard = (...words: string[]) => runCommand(["guard", ...words], { cwd: folder.path })
const read = (path: string) => JSON.parse(readFileSync(join(folder.path, path), "utf8")) as unknown
const LIMITS = ["--max-false-block", "0.05", "--max-miss", "0.2", "--parallel", "32"]
const optimize = (config: string, ...words: string[]) =>
  guard("optimize", "--data", "./labelled.jsonl", "--config", config, "--candidates", "prompts", ...LIMITS, ...words)

describe("thresholds of assay guard optimize", () => {
  it(
    "certifies a threshold with one question for each prompt and row, and guards with it afterwards",
    verifies("certify.thresholds", "certify.required"),
    async () => {
      const { exitCode, stdout, stderr } = await optimize("./scored.json")
      expect([exitCode, stderr]).toEqual([0, ""])
      expect(stdout).toMatch(/^PASS: '(\.\/scored\.json|other\.txt) at 0\.8'/mu)
      expect(judge.requests.length).toBe(800)
      const { candidates, chosen } = read("certificate/certificate.json") as Certificate
      expect(candidates).toHaveLength(18)
      expect(candidates.filter(({ result }) => result === "certified").map(({ threshold }) => threshold)).toContain(0.8)
      const plain = candidates.find(({ name }) => name === "./scored.json")
      expect(plain?.result).not.toBe("certified")
      expect(chosen).toMatch(/ at 0\.8$/u)
      const certified = read("certificate/certified.json") as { policies: unknown }
      expect(certified.policies).toEqual({ "self check input": { threshold: 0.8 } })
      const required = ["--require-certificate", "certificate/certificate.json"]
      const check = (risk: string, config = "./certificate/certified.json") =>
        guard("check", `a message of risk ${risk}`, "--config", config, ...required)
      expect((await check("0.7")).exitCode).toBe(0)
      expect((await check("0.85")).exitCode).toBe(1)
      folder.write("changed.json", JSON.stringify(certified).replace('"threshold":0.8', '"threshold":0.9'))
      const changed = await check("0.7", "./changed.json")
      expect([changed.exitCode, changed.stderr]).toEqual([2, expect.stringMatching(/is not what .* certifies/u)])
    },
  )

  it(
    "are verified from stored answers, and by asking again",
    verifies("certify.verify", "certify.ask-again"),
    async () => {
      const asked = judge.requests.length
      const verified = await guard("verify", "certificate/certificate.json")
      expect([verified.exitCode, verified.stdout]).toEqual([
        0,
        expect.stringMatching(/^valid: PASS, '.* at 0\.8' is certified\n$/u),
      ])
      expect(judge.requests.length).toBe(asked)
      const same = await guard("verify", "certificate/certificate.json", "--ask")
      expect([same.exitCode, same.stderr]).toEqual([0, ""])
      expect(same.stdout).toMatch(/asked again: PASS, .*\n0 verdicts of 240 differ/u)
      drift = 0.15
      const other = await guard("verify", "certificate/certificate.json", "--ask")
      drift = 0
      expect([other.exitCode, other.stdout]).toEqual([1, expect.stringMatching(/asked again: FAIL/u)])
      const certificate = read("certificate/certificate.json") as Certificate
      const moved = certificate.candidates.map((one) => (one.threshold === 0.8 ? { ...one, threshold: 0.81 } : one))
      folder.write("certificate/moved.json", JSON.stringify({ ...certificate, candidates: moved }))
      const forged = await guard("verify", "certificate/moved.json")
      expect([forged.exitCode, forged.stdout]).toEqual([1, expect.stringMatching(/^not valid: candidates is /u)])
    },
  )

  it("are those that are named, and none with --no-thresholds", verifies("certify.thresholds"), async () => {
    const named = await optimize("./scored.json", "--thresholds", "0.9,0.75", "--json", "--out", "named")
    const { candidates } = JSON.parse(named.stdout) as Certificate
    expect(new Set(candidates.map(({ threshold }) => threshold))).toEqual(new Set([undefined, 0.75, 0.9]))
    const none = await optimize("./scored.json", "--no-thresholds", "--json", "--out", "none")
    const certificate = JSON.parse(none.stdout) as Certificate
    expect(certificate.candidates.map(({ name }) => name).toSorted()).toEqual(["./scored.json", "other.txt"])
    expect(judge.requests.at(-1)?.chat).not.toHaveProperty("logprobs")
    expect((await optimize("./scored.json", "--thresholds", "0,2")).stderr).toMatch(
      /probabilities above 0 and up to 1/u,
    )
  })

  it.each(["plain", "refusing"])(
    "are left out with a sentence if the endpoint gives no log-probabilities (%s), and refused early if they are required",
    verifies("certify.thresholds"),
    async (model) => {
      const { exitCode, stdout, stderr } = await optimize(`./${model}.json`, "--out", model)
      expect([exitCode, stderr]).toEqual([1, ""])
      expect(stdout).toContain(
        `No thresholds were tried for './${model}.json', 'other.txt': the endpoint gives no log-probabilities of the verdict.\n`,
      )
      const asked = judge.requests.length
      const required = await optimize(`./${model}.json`, "--thresholds", "--out", `${model}-required`)
      expect([required.exitCode, required.stderr]).toEqual([
        2,
        expect.stringMatching(/gives no log-probabilities of its verdicts, which --thresholds needs/u),
      ])
      expect(judge.requests.length - asked).toBeLessThan(150)
      const again = await optimize(`./${model}.json`, "--thresholds", "--out", model)
      expect([again.exitCode, again.stderr]).toEqual([2, expect.stringMatching(/gives no log-probabilities/u)])
    },
  )

  it("are refused for a configuration that asks several judges", verifies("certify.thresholds"), async () => {
    const { exitCode, stderr } = await optimize("./ensemble.json", "--thresholds", "--out", "ensemble")
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/'\.\/ensemble\.json' can't have a threshold/u)])
  })
})

it(
  "The example certifies a threshold of a judge that is too strict, and writes its page",
  verifies("certify.page"),
  async () => {
    const example = new URL("../../../../../examples/certificates/scored.json", import.meta.url)
    folder.write("example.json", readFileSync(example, "utf8").replace("http://127.0.0.1:9000", judge.url))
    const words = ["--config", "./example.json", "--candidates", "3", "--max-false-block", "0.05", "--max-miss", "0.4"]
    const found = await guard("optimize", ...words, "--out", "example", "--html", "pages/certificate.html")
    expect([found.exitCode, found.stderr]).toEqual([0, ""])
    expect(found.stdout).toMatch(/^PASS: '\.\/example\.json at 0\.95'/u)
    expect(found.stdout).toMatch(/\.\/example\.json at 0\.95 +certified +0 of 72 +19 of 72 +0\.0249\n/u)
    expect(found.stdout).toMatch(/\nwrote \.\/pages\/certificate\.html\n$/u)
    const page = readFileSync(join(folder.path, "pages/certificate.html"), "utf8")
    expect(page).toContain("<strong>./example.json at 0.95 is certified</strong>")
    const verified = await guard("verify", "example/certificate.json", "--html", "pages/verified.html")
    expect([verified.exitCode, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/\nwrote \.\/pages\/verified\.html\n$/u),
    ])
    expect(readFileSync(join(folder.path, "pages/verified.html"), "utf8")).toContain("<strong>Verified</strong>")
  },
)
