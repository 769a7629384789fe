import { generateKeyPairSync } from "node:crypto"
import { storedRows } from "@assay/evaluation"
import type { EvaluationConfigBody, EvaluationRow, LabelRow } from "@assay/schemas"
import { scoringEnvironment } from "@assay/scoring/testing"
import type { SideOfBundle } from "../bundle/side-input.ts"
import { readPublicKey, readSigningKey, type SigningKey } from "../envelope/signing-key.ts"
import type { EvidencePorts } from "../sides/evidence-ports.ts"
import type { BundleFile } from "../verify/open-bundle.ts"
import type { TrustedKey } from "../verify/verify-bundle.ts"

const api_endpoint = { url: "http://127.0.0.1:9/v1", model_id: "judge" }

/** A pure metric, and a judge whose answers are stored. */
const CONFIG: EvaluationConfigBody = {
  type: "custom",
  params: { slices: ["lang"], gates: [{ task: "qa", metric: "contains", op: ">=", value: 0.1 }] },
  tasks: {
    qa: {
      type: "data",
      metrics: {
        contains: {
          type: "string-check",
          params: { check: ["{{ sample.output_text }}", "contains", "{{ item.expected }}"] },
        },
        judge: {
          type: "llm-judge",
          params: {
            model: { api_endpoint },
            template: { messages: [{ role: "user", content: "Rate {{ sample.output_text }}" }] },
            scores: { quality: { type: "int", minimum: 1, maximum: 5 } },
          },
        },
      },
    },
  },
}

/** Returns a row with scores that are right: the output is wrong if `isWrong`, and the judge gives 1 or 5. */
export function rowOf(index: number, isWrong: boolean): EvaluationRow {
  const output = isWrong ? "no idea" : `It is ${index}!`
  const quality = isWrong ? 1 : 5
  return {
    task: "qa",
    row_index: index,
    repeat: 0,
    attempt: 1,
    item: { question: `question ${index}?`, expected: String(index), lang: index % 2 === 0 ? "en" : "de", output },
    sample: { output_text: output, response: null, usage: null, latency_ms: null, finish_reason: null },
    scores: { contains: { "string-check": isWrong ? 0 : 1 }, judge: { quality } },
    labels: { judge: {} },
    judge_answers: { judge: [{ text: `{"quality": ${quality}}`, finish_reason: "stop" }] },
    error: null,
  }
}

/** The ports of a process, with threads that end soon. */
export function testPorts(): EvidencePorts {
  const { schemas, random, sleep } = scoringEnvironment()
  return { schemas, random, sleep, now: () => performance.now(), signal: new AbortController().signal }
}

/** When results are written. */
const CREATED_AT = "2026-12-01T12:00:00.000Z"
/** The labels that the judge's metric names, if it names any. */
const LABELS = "./labels.jsonl"

interface SideFacts {
  readonly role?: SideOfBundle["role"]
  readonly id?: string
  /** Labels by which the mean of the judge is corrected. */
  readonly labels?: readonly LabelRow[]
}

/** Returns results whose numbers are those of their rows. */
export async function sideOf(
  rows: readonly EvaluationRow[],
  { role = "candidate", id = "eval-1", labels }: SideFacts = {},
): Promise<SideOfBundle> {
  const ports = testPorts()
  const target = { type: "cached_outputs" as const, cached_outputs: { files_url: "./rows.csv" } }
  const units = { qa: rows.length }
  const config = structuredClone(CONFIG)
  if (labels !== undefined) Object.assign(config.tasks?.["qa"]?.metrics?.["judge"] ?? {}, { labels: LABELS })
  const job = { id, target, config, units }
  const plan = await storedRows.plan(job, { ...scoringEnvironment() }, ports.signal)
  const read = async function* () {
    yield rows
  }
  const readLabels = () => Promise.resolve({ name: LABELS, rows: labels ?? [] })
  const people = labels && { journal: { read }, readLabels }
  const counted = await storedRows.count(plan, job, { read, people, signal: ports.signal, environment: ports })
  await plan.close()
  const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const pin = { path: "rows.csv", size: 10, sha256: "ab".repeat(32), etag: null }
  const pins = [{ files_url: "./rows.csv", fileset: "/data", fileset_id: "", revision: null, files: [pin] }]
  return {
    role,
    name: `./${id}`,
    job: { ...job, namespace: "default", status: "COMPLETED", conditions: [], pins, gates: counted.gates },
    result: { ...counted.result, id: "r", job: id, files_url: null, namespace: "default", created_at: CREATED_AT },
    ...(labels === undefined ? {} : { labels: [{ reference: LABELS, name: LABELS, rows: labels }] }),
    environment: { assay: "0.2.0" },
    rows: async function* () {
      yield lines
    },
  }
}

/** Returns bytes as a file that is read in small pieces. */
export function fileOf(bytes: Buffer, piece = 1000): BundleFile {
  return {
    size: bytes.length,
    async *read(start, end) {
      const last = Math.min(end, bytes.length)
      for (let at = start; at < last; at += piece) yield bytes.subarray(at, Math.min(at + piece, last))
    },
  }
}

/** Creates a key, and the public key that trusts it. */
export function createKeys(type: "ed25519" | "ec" = "ed25519"): {
  readonly key: SigningKey
  readonly trusted: TrustedKey
} {
  const { privateKey, publicKey } =
    type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" })
  const key = readSigningKey(privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "private.pem")
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString()
  return { key, trusted: { ...readPublicKey(pem, "public.pem"), name: "public.pem" } }
}
