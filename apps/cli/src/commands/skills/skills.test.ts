import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseYaml } from "@assay/validation"
import { startFakeInference, verifies, type FakeInference } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
let model: FakeInference
beforeAll(async () => {
  model = await startFakeInference()
  const rows = Array.from({ length: 20 }, (_, row) => `Say word ${row},word ${row}\n`)
  folder.write("questions.csv", `question,answer\n${rows.join("")}`)
})
afterAll(async () => {
  await model.close()
  folder[Symbol.dispose]()
})

const assay = (words: readonly string[]) => runCommand(words, { cwd: folder.path })
const install = (...words: string[]) => assay(["skills", "install", ...words])
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")

/** Splits a command as a shell does. */
const wordsOf = (command: string) =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1)

it("Every command of the skill runs, in the order in which it is printed", verifies("skills.commands"), async () => {
  expect((await install()).exitCode).toBe(0)
  const text = read(".claude/skills/assay/SKILL.md")
  const [, front = "", body = ""] = /^---\n([^]*?)^---\n([^]*)$/m.exec(text) ?? []
  expect(parseYaml(front, "front").value).toMatchObject({
    name: "assay",
    description: expect.stringMatching(/^.{100,1024}$/),
  })
  expect(body.split("\n").length).toBeLessThan(80)
  const commands = [...body.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, lines = ""]) => lines.trim().split("\n"))
  expect(commands.length).toBeGreaterThan(8)
  for (const command of commands) {
    const words = wordsOf(command.replace("http://127.0.0.1:9000", model.url))
    const { exitCode, stdout, stderr } = await assay(words)
    // A comparison of five rows cannot decide.
    expect([command, exitCode, stderr]).toEqual([
      command,
      words[1] === "compare" ? expect.toBeOneOf([0, 3]) : 0,
      expect.any(String),
    ])
    expect([command, stdout === ""]).toEqual([command, false])
  }
})

it("A skill that somebody changed stays, and one of another version is replaced", verifies("skills.kept"), async () => {
  const place = "elsewhere/assay/SKILL.md"
  const path = join(folder.path, place)
  expect(JSON.parse((await install("--for", "./elsewhere", "--json")).stdout)).toEqual({ file: path, written: true })
  expect(JSON.parse((await install("--for", "./elsewhere", "--json")).stdout)).toEqual({ file: path, written: false })
  const own = read(place)
  folder.write(place, `${own}\nMy rule.\n`)
  const refused = await install("--for", "./elsewhere")
  expect([refused.exitCode, refused.stderr, read(place)]).toEqual([
    2,
    expect.stringContaining("--force"),
    `${own}\nMy rule.\n`,
  ])
  expect((await install("--for", "./elsewhere", "--force")).exitCode).toBe(0)
  expect(read(place)).toBe(own)
  // The same file with other words, as another version would write it, has the digest of these words.
  const { createHash } = await import("node:crypto")
  const body = own.replace(/^ {2}assay-sha256: .*\n/m, "").replace("## Rules", "## Old rules")
  const digest = createHash("sha256").update(body).digest("hex")
  folder.write(place, body.replace(/^---\n\n/m, `  assay-sha256: ${digest}\n---\n\n`))
  expect((await install("--for", "./elsewhere")).exitCode).toBe(0)
  expect(read(place)).toBe(own)
})

it("Each assistant has its folder, and another word is refused", verifies("skills.kept"), async () => {
  for (const [name, place] of [
    ["cursor", ".cursor"],
    ["copilot", ".github"],
    ["codex", ".agents"],
  ] as const) {
    expect((await install("--for", name)).exitCode).toBe(0)
    expect(read(`${place}/skills/assay/SKILL.md`)).toContain("name: assay")
  }
  const { exitCode, stderr } = await install("--for", "cursr")
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Did you mean cursor?")])
})
