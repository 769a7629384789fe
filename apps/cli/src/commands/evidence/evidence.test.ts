import { generateKeyPairSync } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
const elsewhere = makeTemporaryFolder()
afterAll(() => {
  folder[Symbol.dispose]()
  elsewhere[Symbol.dispose]()
})

const assay = (...words: string[]) => runCommand(words, { cwd: folder.path })
const { privateKey, publicKey } = generateKeyPairSync("ed25519")
folder.write("private.pem", privateKey.export({ type: "pkcs8", format: "pem" }).toString())
// Roots of signatures of models can be in the same folder.
elsewhere.write("trusted/root.crt", "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n")
elsewhere.write("trusted/public.pem", publicKey.export({ type: "spki", format: "pem" }).toString())

async function evaluate(name: string, every: number, ...more: string[]): Promise<void> {
  writeEvaluation(every)
  const { exitCode, stderr } = await assay("eval", "run", "eval.yaml", "--out", name, "-q", ...more)
  expect([exitCode, stderr]).toEqual([0, ""])
}

function writeEvaluation(every: number, labels = ""): void {
  const rows = Array.from({ length: 30 }, (_, row) => `question ${row},${row}x,${row % every === 0 ? "?" : `${row}x`}`)
  folder.write("rows.csv", ["question,expected,output", ...rows, ""].join("\n"))
  const check = `  - contains: "{{ expected }}"\n${labels}`
  folder.write("eval.yaml", `output: "{{ output }}"\ndata: rows.csv\nchecks:\n${check}`)
}

/** Verifies a file of the other machine, whose trusted keys are in a folder. */
const verify = (name: string, ...more: string[]) =>
  runCommand(["verify", name, "--json", ...more], { cwd: elsewhere.path, env: { ASSAY_TRUSTED_KEYS: "trusted" } })

describe("assay eval bundle and assay verify", () => {
  it("prove a comparison and its gates on another machine, and name a changed byte", async () => {
    await evaluate("./before", 2)
    await evaluate("./after", 10, "--against", "./before", "--gate", "contains>=0.3")
    const bundled = await assay("eval", "bundle", "./after", "-o", "verdict.assay", "--key", "private.pem")
    expect([bundled.exitCode, bundled.stderr]).toEqual([0, ""])
    expect(bundled.stdout).toMatch(
      /^wrote \.\/verdict\.assay .*\nVALID\n[^]* 1 gate, 1 comparison\ngate {8}.*contains.* >= 0\.3: PASS\ncomparison {2}at most 0 worse .*: PASS\nverdict {5}PASS\n$/,
    )
    const bytes = readFileSync(join(folder.path, "verdict.assay"))
    elsewhere.write("verdict.assay", bytes)
    const found = await verify("verdict.assay")
    expect([found.exitCode, JSON.parse(found.stdout)]).toEqual([
      0,
      expect.objectContaining({
        valid: true,
        differences: [],
        signer: expect.objectContaining({ name: "public.pem", trusted: true }),
      }),
    ])
    const at = bytes.lastIndexOf("question 29")
    bytes[at] = "Q".charCodeAt(0)
    writeFileSync(join(elsewhere.path, "changed.assay"), bytes)
    const changed = await verify("changed.assay")
    expect([changed.exitCode, JSON.parse(changed.stdout)]).toEqual([
      1,
      expect.objectContaining({
        valid: false,
        differences: expect.arrayContaining([expect.objectContaining({ what: "baseline: line 30 of the rows" })]),
      }),
    ])
    const unknown = await runCommand(["verify", "verdict.assay"], { cwd: elsewhere.path })
    expect([unknown.exitCode, unknown.stdout.split("\n")[0]]).toEqual([
      3,
      expect.stringMatching(/^NOT DECIDED: no trusted/),
    ])
    elsewhere.write("other.assay", "{}\n")
    expect((await verify("other.assay")).exitCode).toBe(2)
  })

  it("have the labels that a check names, and correct its mean again", verifies("bundles.corrected"), async () => {
    await evaluate("./first", 4)
    expect((await assay("label", "next", "./first", "--limit", "12", "--out", "sheet.jsonl")).exitCode).toBe(0)
    const sheet = readFileSync(join(folder.path, "sheet.jsonl"), "utf8")
    folder.write("sheet.jsonl", sheet.replaceAll('"label":null', '"label":1'))
    expect((await assay("label", "add", "./first", "sheet.jsonl", "--author", "ann")).exitCode).toBe(0)
    writeEvaluation(4, "    labels: ./labels.jsonl\n")
    expect((await assay("eval", "run", "eval.yaml", "--out", "./labelled", "-q")).exitCode).toBe(0)
    const gate = ["--gate", "contains corrected by people>=0.1"] as const
    const bundle = ["eval", "bundle", "./labelled", "-o", "labelled.assay", "--key", "private.pem", ...gate] as const
    const { exitCode, stdout } = await assay(...bundle, "--json")
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        verdict: "PASS",
        recomputed: { corrected: 1, taken_parts: ["candidate: 12 labels of people, as ./labels.jsonl has them"] },
      },
    ])
  })

  it("sign nothing that does not follow from the rows", async () => {
    await evaluate("./wrong", 3)
    const file = join(folder.path, "wrong/results/rows.jsonl")
    writeFileSync(file, readFileSync(file, "utf8").replace('{"string-check":0}', '{"string-check":1}'))
    const bundled = await assay("eval", "bundle", "./wrong", "-o", "wrong.assay", "--key", "private.pem")
    expect([bundled.exitCode, bundled.stdout]).toEqual([
      1,
      expect.stringMatching(
        /^\.\/wrong\.assay is not written[^]*row 1: contains\.string-check\n +stored +1\n +recomputed +0\n/,
      ),
    ])
    expect((await assay("verify", "wrong.assay")).exitCode).toBe(2)
    folder.write("earlier.assay", "an earlier bundle")
    const force = ["eval", "bundle", "./wrong", "-o", "earlier.assay", "--key", "private.pem", "--force"]
    expect((await assay(...force)).exitCode).toBe(1)
    expect(readFileSync(join(folder.path, "earlier.assay"), "utf8")).toBe("an earlier bundle")
    const missing = await assay("eval", "bundle", "./wrong", "-o", "wrong.assay")
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringMatching(/--key/)])
    const alone = ["eval", "bundle", "./wrong", "-o", "wrong.assay", "--key", "private.pem", "--margin", "0.1"]
    expect((await assay(...alone)).stderr).toContain("--margin is about a comparison, and there is none")
    const kept = ["eval", "bundle", "./wrong", "-o", "wrong.assay", "--key", "private.pem", "--gate", "contains>=-1"]
    expect(await assay(...kept)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("can't be kept or broken"),
    })
  })
})
