import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type FakeInference, startFakeInference, startLoopbackServer, verifies } from "@assay/testkit"
import type { Command } from "commander"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openClient } from "./open-client.ts"
import { buildProgram } from "./program.ts"
import { runCommand, type RunResult } from "./testing/run-command.ts"
import { startServer, type TestServer } from "./testing/start-server.ts"
import { makeTemporaryFolder } from "./testing/temporary-folder.ts"
import { liveEvaluation, writeExampleFiles } from "./testing/write-example-files.ts"

const [JOB, OTHER] = ["eval-3QJmnh8Y1kGqvS4cQKFJ2b", "eval-7VbT1yTnUZsPzq9mLwR4Xk"]
const TOKEN = "token-3QJmnh8Y1kGqvS4cQKFJ2b"
const REVISION = "3f2a91c"
const RUN = "./.assay-eval/capitals-20261120-174012"

/** Examples that need what a test of one process does not have. Tests of their commands run them in another form. */
const ELSEWHERE = [
  /^assay worker|assay worker$/,
  /\| ssh /,
  /fileset cache/,
  /--server https:/,
  /^assay import (inspect|lm-eval)/,
  /^assay init$/,
  // Tags of hub clients, and a time of some day.
  /^assay fileset (diff|restore) reviews /,
  // Runs that are cut into shards: a bucket, an engine, and processes of their own.
  /s3:|--executor|--profile/,
  /^(SLURM_ARRAY_TASK_ID=\d+ )?assay eval \S+ \.\/run\b/,
]

/** Exit codes that are an answer: 0 done, 1 no, 3 undecided. */
const ANSWERS: ReadonlySet<number> = new Set([0, 1, 3])

const folder = makeTemporaryFolder()
let endpoint: FakeInference
/** A server that never answers. */
let silent: Awaited<ReturnType<typeof startLoopbackServer>>
let server: TestServer
/** The address of each thing in an example, and that of the real thing. */
const real = new Map<string, string>()
beforeAll(async () => {
  ;[endpoint, silent, server] = await Promise.all([
    startFakeInference({ record: false }),
    startLoopbackServer(() => undefined),
    startServer({ ASSAY_ALLOWED_LOCAL_ROOTS: join(folder.path, "mnt") }),
  ])
  real
    .set("http://127.0.0.1:9000", endpoint.url)
    .set("http://127.0.0.1:8080", server.url)
    .set("--port 9000", "--port 0")
  for (const path of ["/srv/", "/backups/", "/mnt/"]) real.set(path, `${folder.path}${path}`)
  real.set("~/.", `${folder.path}/`)
  writeExampleFiles(folder, endpoint.url)
  folder.write("silent.yaml", liveEvaluation(silent.url))
  folder.write("broken.yaml", liveEvaluation("http://127.0.0.1:9"))
  for (const shown of [OTHER, JOB]) {
    await prepare("eval launch eval.yaml --json")
    await run(`eval watch ${JOB}`)
    real.set(shown, real.get(JOB) ?? "")
  }
  const env = { ASSAY_URL: server.url }
  const data = JSON.parse(readFileSync(join(folder.path, "strict.json"), "utf8"))
  await openClient({ env, sleep: async () => undefined, random: () => 0 }).guardrails.create("default", {
    name: "strict",
    data,
  })
})
afterAll(async () => {
  await Promise.all([endpoint.close(), server.stop(), silent.close()])
  folder[Symbol.dispose]()
})

/** Commands that prepare an example. A job or token that they create replaces the id in the example. */
const BEFORE: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^assay backup/, ["migrate"]],
  [/^assay workspace create/, ["workspace delete research --cascade --yes"]],
  [/^assay restore/, ["migrate", "backup assay.tar.zst --force", "rm -rf .assay srv"]],
  [/^assay doctor --deep/, ["migrate", "migrate --data-dir /srv/restored"]],
  [/^assay token revoke/, ["token create laptop --role admin --workspace '*' --json"]],
  [/^assay workspace (get|delete)|^assay budget/, ["workspace create research"]],
  [/^assay budget (get|delete)/, ["budget set research --max-requests 9"]],
  [/^assay fileset (get|update|history)/, ["fileset create default/reviews --exist-ok"]],
  [
    /^assay fileset (diff|restore)/,
    ["fileset create default/reviews --exist-ok", "push ./reviews default/reviews", "fileset history reviews --json"],
  ],
  [/^assay fileset rename/, ["fileset create default/reviews --exist-ok", "fileset delete reviews-2025 --yes"]],
  [/^assay fileset delete/, ["fileset create default/reviews --exist-ok"]],
  [/^assay fileset delete reviews/, ["fileset create default/reviews --exist-ok"]],
  [/^assay trash restore default/, ["fileset create default/reviews --exist-ok", "fileset delete reviews --yes"]],
  [
    /^assay trash restore reviews/,
    ["fileset create reviews --exist-ok", "fileset delete reviews --yes", "fileset delete reviews-old --yes"],
  ],
  [/^assay trash restore eval-/, ["eval launch eval.yaml --json", `eval watch ${JOB}`, `eval delete ${JOB} --yes`]],
  [/^assay trash delete/, ["fileset create default/reviews --exist-ok", "fileset delete reviews --yes"]],
  [/^assay fileset create (\S+)/, ["fileset delete default/reviews --yes"]],
  [/--workspace shared/, ["workspace create shared"]],
  [/--recording default\/answers/, ["fileset create default/answers --exist-ok"]],
  [/^assay secret delete/, ["secret set hub-token < token.txt"]],
  [
    /hub-copies|backup\//,
    ["workspace create hub-copies", "workspace create backup", "push ./reviews hub-copies/reviews"],
  ],
  [/fileset sign \.\/llama/, ["rm -rf llama-3.1-8b/model.sig"]],
  [
    /fileset verify/,
    [
      "fileset sign ./llama-3.1-8b --key signing.pem --force",
      "push ./llama-3.1-8b default/llama-3.1-8b",
      "fileset sign default/llama-3.1-8b --key signing.pem --force",
    ],
  ],
  [/default\/labelled/, ["push ./labelled default/labelled"]],
  [/default\/llama/, ["push ./llama-3.1-8b default/llama-3.1-8b"]],
  [/reviews#train.jsonl/, ["push ./reviews default/reviews"]],
  [
    /(ls|cat|rm|pull|cp|sync|dataset \S+) .*reviews/,
    ["push ./reviews default/reviews", "push ./reviews/train.csv backup/reviews"],
  ],
  [
    /guard verify \.\/certificate/,
    ["guard optimize --data labelled.csv --config ./base.json --candidates 2 --max-false-block 0.05 --force"],
  ],
  [/^assay init/, ["rm -rf evaluation.yaml evaluation.schema.json guardrail.yaml .github"]],
  [/^assay import (promptfoo|traces|harbor)/, ["rm -rf evaluation.yaml evaluation.rows.jsonl evaluation.harbor evals"]],
  [/^assay import row \.\/results/, ["eval run eval.yaml --local --out ./results --force"]],
  [/^assay eval run$/, ["copy eval.yaml evaluation.yaml"]],
  [/eval doctor/, ["rm -rf results.yaml results.rows.jsonl"]],
  [/--against main/, [`baseline set main ${JOB}`]],
  [/config create/, ["guard config delete strict --yes", "eval config delete strict --yes"]],
  [/target create/, ["eval target delete strict --yes"]],
  [/research\/strict|--workspace research/, ["workspace create research"]],
  [/guard config (get|delete)/, ["guard config create strict strict.json --force"]],
  [
    /eval (target|config) (get|delete)/,
    ["eval target create strict eval.yaml", "eval config create strict config.yaml"],
  ],
  [
    /^assay mv/,
    [
      "workspace create backup",
      "push a.csv default/reviews",
      "assay rm default/reviews#train/b.csv --yes",
      "assay rm backup/reviews#a.csv --yes",
    ],
  ],
  [/^assay baseline (get|delete)/, [`baseline set main ${JOB}`]],
  [/eval cancel/, ["eval launch silent.yaml --skip-checks --json"]],
  [/eval resume eval-/, ["eval launch broken.yaml --skip-checks --json", `eval watch ${JOB}`]],
  [/eval delete/, ["eval launch eval.yaml --json", `eval watch ${JOB}`]],
  [/(run|watch|download) .*--out \.\/results/, ["rm -rf results"]],
  [/(logs|results|rows|doctor) \.\/results/, ["eval run eval.yaml --local --out ./results --force"]],
  [/^assay eval bundle/, ["rm -rf verdict.assay"]],
  [/eval bundle \.\/results/, ["eval run eval.yaml --local --out ./results --force"]],
  [
    /^assay verify/,
    [
      "eval run eval.yaml --local --out ./results --force",
      "eval bundle ./results -o verdict.assay --key private.pem --force",
    ],
  ],
  [/^assay verify .*--rows/, ["eval bundle ./results -o verdict.assay --key private.pem --rows reference --force"]],
  [/guard optimize/, ["rm -rf certificate"]],
  [
    /guard verify certificate/,
    ["guard optimize --data labelled.csv --config ./base.json --candidates 2 --max-false-block 0.05 --out ."],
  ],
  [/^assay label (next|add) .*sheet/, ["rm -rf sheet.jsonl"]],
  [/label add eval-.*sheet/, [`label next ${JOB} --metric helpful --out sheet.jsonl`, "fill sheet.jsonl"]],
  [/\.\/before/, ["eval run eval.yaml --local --out ./before", "eval run eval.yaml --local --out ./after"]],
  [
    /(resume|retry-failed) \..*capitals-2026/,
    ["rm -rf .assay-eval", `eval run broken.yaml --local --skip-checks --out ${RUN}`],
  ],
  [/label .*capitals-2026/, [`eval run eval.yaml --local --out ${RUN} --force`]],
  [/label add \..*sheet/, [`label next ${RUN} --metric helpful --out sheet.jsonl`, "fill sheet.jsonl"]],
]

function examplesOf(command: Command): readonly string[] {
  let text = ""
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 }).outputHelp()
  const [, listed = ""] = text.split(/\nExamples?:\n/)
  const own = listed.split("\n").flatMap((line) => (line.includes("assay") ? [line.trim()] : []))
  return [...own, ...command.commands.flatMap(examplesOf)]
}

const examples = [...new Set(examplesOf(buildProgram(() => async () => undefined)))]

/** Examples after which what was prepared may be gone. */
const CHANGES = /\b(create|delete|rm|mv|rename|restore|sync|cancel|resume|retry-failed|discard-unreadable|accept)\b/
const prepared = new Set<string>()

/** Prepares an example, unless an earlier one has done the same. Files that are removed, and new jobs and tokens, are always made. */
async function prepareOnce(line: string): Promise<void> {
  if (prepared.has(line)) return
  await prepare(line)
  if (!/^rm |--json|^fill/.test(line)) prepared.add(line)
}

/** Runs a command that prepares an example. */
async function prepare(line: string): Promise<void> {
  const [name, ...words] = line.split(" ")
  if (name === "rm")
    for (const path of words.slice(1)) rmSync(join(folder.path, path), { recursive: true, force: true })
  else if (name === "copy") copyFileSync(join(folder.path, words[0] ?? ""), join(folder.path, words[1] ?? ""))
  else if (name === "fill") {
    const sheet = join(folder.path, words[0] ?? "")
    writeFileSync(sheet, readFileSync(sheet, "utf8").replaceAll(/"label": ?null/g, '"label": 1'))
  } else {
    const { stdout } = await run(line)
    const [, id = ""] = line.endsWith("--json") ? (/"id": "((?:eval|token)-\w+)"/.exec(stdout) ?? []) : []
    if (id !== "") real.set(id.startsWith("eval") ? JOB : TOKEN, id)
    const [, revision] = /"revision": "(\w+)"/.exec(stdout) ?? []
    if (revision !== undefined) real.set(REVISION, revision)
  }
}

/** Runs a command line with the quotes, the files for stdin and stdout, the variables and the pipe of `cat` of a shell. */
async function run(line: string): Promise<RunResult> {
  const [, piped, command = ""] = /^(?:cat (\S+) \| )?(?:source <\()?(?:assay )?([^]*?)\)?$/.exec(line) ?? []
  const replaced = [...real].reduce((text, [shown, actual]) => text.replaceAll(shown, actual), command)
  const words = replaced.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  const plain = words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"))
  const from = plain.indexOf("<")
  const to = plain.indexOf(">")
  const input = piped ?? (from === -1 ? undefined : plain[from + 1])
  const end = [from, to].filter((at) => at !== -1)
  const asks = /\b(delete|rm|discard-unreadable)\b/.test(command) && !/--(yes|dry-run)/.test(command)
  const stop = new AbortController()
  const isEndless = /^(serve|fake-endpoint)|--watch/.test(command)
  if (isEndless) setTimeout(() => stop.abort(), 300)
  const result = await runCommand(plain.slice(0, end.length === 0 ? plain.length : Math.min(...end)), {
    cwd: folder.path,
    // Prices on this machine are for jobs without a server.
    env: {
      ASSAY_LOG_LEVEL: "silent",
      PORT: "0",
      USER: "ann",
      ...(line.includes("--prices") ? {} : { ASSAY_URL: server.url }),
    },
    signal: stop.signal,
    ...(asks ? { isTerminal: { stdin: true, stdout: true, stderr: true } } : {}),
    ...(input === undefined
      ? { input: asks ? "y\n" : "1\n" }
      : { input: readFileSync(join(folder.path, input), "utf8") }),
  })
  if (to !== -1) writeFileSync(join(folder.path, "printed"), result.stdout)
  return isEndless && result.exitCode === 130 ? { ...result, exitCode: 0 } : result
}

describe("the examples of the help", () => {
  it("are complete command lines", () => expect(examples.length).toBeGreaterThan(140))

  it.each(examples.filter((example) => !ELSEWHERE.some((one) => one.test(example))))(
    "`%s` runs as printed",
    verifies("cli.help.runs"),
    async (example) => {
      const job = real.get(JOB) ?? ""
      for (const [when, commands] of BEFORE) {
        if (when.test(example)) for (const one of commands) await prepareOnce(one)
      }
      const { exitCode, stderr } = await run(example)
      real.set(JOB, job)
      if (CHANGES.test(example)) prepared.clear()
      expect(ANSWERS.has(exitCode), `${exitCode} ${stderr}`).toBe(true)
    },
  )
})
