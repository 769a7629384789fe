import { generateKeyPairSync } from "node:crypto"
import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import type { TemporaryFolder } from "./temporary-folder.ts"
import { writeCheckpoint } from "./write-checkpoint.ts"

const EXAMPLES = fileURLToPath(new URL("../../../../examples", import.meta.url))
const ROWS = 24

/** Writes the files that the examples of the help name. `url` is the address of an endpoint. */
export function writeExampleFiles(folder: TemporaryFolder, url: string): void {
  for (const name of ["evaluation", "agents"])
    cpSync(join(EXAMPLES, name), join(folder.path, "examples", name), { recursive: true })
  const copied = (path: string) => readFileSync(join(EXAMPLES, path), "utf8").replaceAll("http://127.0.0.1:9000", url)
  const labelled = copied("evaluation/labelled.csv")
  folder.write("labelled.csv", labelled)
  folder.write("xstest.jsonl", labelledLines(labelled))
  folder.write("labelled/prompts.jsonl", labelledLines(labelled))
  folder.write("prices.yaml", copied("baselines/prices.yaml"))
  for (const name of ["base", "loose", "strict", "guardrail"])
    folder.write(`${name}.json`, copied("certificates/base.json"))
  for (const name of ["cautious", "polite"])
    folder.write(`prompts/${name}.txt`, copied(`certificates/prompts/${name}.txt`))
  folder.write("prompts.jsonl", '"Hello"\n')
  folder.write("prompts.txt", "Hello\nHow do I bake bread?\n")
  folder.write("prompts.csv", "prompt,label\nHello,safe\nHow do I bake bread?,safe\n")
  folder.write("nemo/config.yml", nemoConfig(url))
  const rows = "id,text\n1,good\n2,bad\n"
  for (const path of ["reviews/train/a.csv", "part/a.csv", "a.csv", "reviews/train.csv"]) folder.write(path, rows)
  folder.write("reviews/train.csv.gz", gzipSync(rows))
  folder.write("reviews/train.jsonl", '{"id": 1}\n')
  folder.write("export.csv", Buffer.from("id;text\n1;caf\u00E9\n", "latin1"))
  folder.write("reviews.schema.json", '{"type": "object"}')
  folder.write("schema.json", '{"dataset": {"schema": {"type": "object"}}}')
  folder.write("dataset.json", '{"schema": {"type": "object"}}')
  folder.write("token.txt", "hub-value\n")
  writeCheckpoint(folder, "llama-3.1-8b", "{{ messages }}")
  writeSigningKeys(folder)
  folder.write("config.yaml", CONFIGURATION)
  folder.write("eval.yaml", EVALUATION)
  folder.write("policy.yaml", POLICY)
  for (const path of ["examples/arena/", ""]) {
    folder.write(`${path}arena.yaml`, copied("arena/arena.yaml"))
    folder.write(`${path}questions.jsonl`, copied("arena/questions.jsonl"))
  }
  folder.write("matrix.yaml", matrix(url))
  folder.write("promptfooconfig.yaml", promptfoo(url))
  folder.write("questions.csv", "question,answer\nWhat follows 7?,8\n")
  folder.write("answers.csv", "question,answer,answer_given\nWhat follows 7?,8,8\n")
  folder.write("results.csv", "id,score,label\n1,1,1\n2,0,0\n3,1,0\n")
  folder.write("labels.jsonl", "")
  folder.write("results.jsonl", '{"id": 1, "score": 1}\n{"id": 2, "score": 0}\n')
  writeImports(folder)
  folder.write("scored.json", copied("certificates/scored.json"))
  folder.write("backups/earlier", "")
  folder.write("mnt/weights/model.bin", "weights")
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  folder.write("private.pem", privateKey.export({ type: "pkcs8", format: "pem" }).toString())
  for (const path of ["public.pem", "trusted/public.pem"])
    folder.write(path, publicKey.export({ type: "spki", format: "pem" }).toString())
  const answers = Array.from({ length: ROWS }, (_, row) => `word ${row},word ${row % 8 === 7 ? 0 : row}`)
  folder.write("rows.csv", ["reference,output", ...answers, ""].join("\n"))
}

/** Writes traces and a task of Harbor. */
function writeImports(folder: TemporaryFolder): void {
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.prompt": "Hello", "gen_ai.completion": "Hi" }
  folder.write("traces.jsonl", `${JSON.stringify({ trace_id: "t", span_id: "s", attributes })}\n`)
  folder.write("langfuse-export.csv", "id,timestamp,input,output\nt,2026-11-20T10:00:00Z,Hello,Hi\n")
  folder.write("tasks/hello/task.toml", "")
  folder.write("tasks/hello/instruction.md", "Say hello.\n")
  folder.write("tasks/hello/environment/Dockerfile", "FROM ubuntu\n")
  folder.write("tasks/hello/tests/test.sh", "echo 1 > /logs/verifier/reward.txt\n")
}

function labelledLines(csv: string): string {
  const [, ...lines] = csv.trim().split("\n")
  const rows = lines.map((line) => {
    const at = line.lastIndexOf(",")
    return JSON.stringify({ prompt: line.slice(0, at), label: line.slice(at + 1).trim() })
  })
  return `${rows.join("\n")}\n`
}

const POLICY = `version: 1
evaluations:
  capitals: { results: ./before, tier: critical, gates: [contains >= 0.5] }
`

/** Two tasks with the metrics that the examples name. Their outputs are there already, so no model is asked. */
const EVALUATION = `
target: {type: cached_outputs, cached_outputs: {files_url: ./rows.csv}}
config:
  type: custom
  name: capitals
  tasks:
    capitals:
      type: data
      dataset: {files_url: ./rows.csv}
      metrics: {mentions: {type: string-check, params: {check: ["{{ sample.output_text }}", contains, "{{ item.reference }}"]}}}
    qa:
      type: data
      dataset: {files_url: ./rows.csv}
      metrics:
        accuracy: {type: string-check, params: {check: ["{{ sample.output_text }}", equals, "{{ item.reference }}"]}}
        contains: {type: string-check, params: {check: ["{{ sample.output_text }}", contains, "{{ item.reference }}"]}}
        helpful: {type: string-check, params: {check: ["{{ sample.output_text }}", contains, "word"]}}
`

/** A configuration for a server, whose rows are in a fileset. */
const CONFIGURATION = `
type: custom
tasks: {qa: {type: data, dataset: {files_url: default/reviews}, metrics: {m: {type: em, params: {ground_truth: x}}}}}
`

/** Returns an evaluation that asks the model at an address. */
export const liveEvaluation = (url: string) => `
target: {type: model, model: {api_endpoint: {url: "${url}/v1", model_id: echo}}}
config:
  type: custom
  params: {max_retries: 0}
  tasks:
    say:
      type: chat-completion
      dataset: {files_url: ./rows.csv}
      params: {template: {messages: [{role: user, content: "{{ item.reference }}"}]}}
      metrics: {same: {type: string-check, params: {check: ["{{ sample.output_text }}", contains, "word"]}}}
`

const matrix = (url: string) => `
models: ["${url}/v1#echo", "${url}/v1#rambler"]
data: questions.csv
prompt: "{{ question }}"
checks: [{equals: "{{ answer }}"}]
`

const promptfoo = (url: string) => `
providers: [{id: "openai:chat:echo", config: {apiBaseUrl: "${url}/v1"}}]
prompts: ["Say {{word}}"]
tests: [{vars: {word: one}, assert: [{type: contains, value: one}]}]
`

const nemoConfig = (url: string) => `
models:
  - {type: main, engine: nim, model: self-check, parameters: {base_url: "${url}/v1"}}
rails: {input: {flows: [self check input]}}
prompts:
  - task: self_check_input
    content: "Should this be blocked (Yes or No)? user: {{ user_input }} Answer:"
`

/** Writes a key that signs models, and its public key. */
function writeSigningKeys(folder: TemporaryFolder): void {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const trusted = publicKey.export({ type: "spki", format: "pem" })
  folder.write("signing.pem", privateKey.export({ type: "pkcs8", format: "pem" }).toString())
  folder.write("signing.pub.pem", trusted.toString())
  folder.write("trusted/signing.pub.pem", trusted.toString())
}
