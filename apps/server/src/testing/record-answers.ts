import { isExactNumber, isObject } from "@assay/json"
import { EXAMPLE_ENDPOINT, type RecordedAnswer } from "@assay/openapi"
import type { OperationAnswer } from "./walk-operations.ts"

const TIME = "2026-11-20T08:14:03.120Z"
const ID = "3QJmnh8Y1kGqvS4cQKFJ2b"
const SERVER = "http://127.0.0.1:8080"
/** Lists have as many members in an example. */
const MAX_MEMBERS = 2
const MAX_LINES = 12
const MAX_CHARACTERS = 2000
/** Numbers that differ with each run, by the ends of their keys, and the number in examples. */
const MEASURED: readonly (readonly [RegExp, number])[] = [
  [/latency|_ms$|seconds|uptime|milliseconds/, 12],
  [/free|rss|heap/, 1_000_000],
]
/** Files whose type follows from their name. */
const FILES = /^(readFile|raw\w+File|resolve\w+File|readObject|s3GetObject)$/

/** Returns what the API description shows of an answer: short, and without what differs with each run. */
export function recordAnswer(
  { id, answer }: OperationAnswer,
  locations: Readonly<Record<"server" | "endpoint" | "folder", string>>,
): RecordedAnswer {
  const { status, headers, text } = answer
  if (text === "") return { status, type: null }
  if (FILES.test(id)) return { status, type: "application/octet-stream" }
  const type = headers["content-type"]?.split(";")[0] ?? "application/octet-stream"
  const plain = (said: string) =>
    said
      .replaceAll(locations.server, SERVER)
      .replaceAll(locations.endpoint.replace(/\/v1$/, ""), EXAMPLE_ENDPOINT.replace(/\/v1$/, ""))
      .replaceAll(locations.folder, "/srv/assay")
      .replaceAll(/127\.0\.0\.1:\d{5}/g, "127.0.0.1:8080")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, TIME)
      .replaceAll(/\b([a-z_]{2,})-[0-9A-Za-z]{20,22}\b/g, `$1-${ID}`)
      .replaceAll(/\bassay_[\w-]{20,}/g, "assay_the-token-that-was-printed-once")
  if (/[/+]json$/.test(type)) return { status, type, example: shortened(JSON.parse(text), plain) }
  if (id === "followJob" || id === "followChanges") return { status, type, example: shortened(firstEvent(text), plain) }
  if (!/^text\/|xml$|ndjson$/.test(type)) return { status, type }
  return { status, type, example: plain(text.split("\n").slice(0, MAX_LINES).join("\n").slice(0, MAX_CHARACTERS)) }
}

/** Reads the first of server-sent events, as its schema has it. */
function firstEvent(text: string): object {
  const [, id = "", event, data = ""] = /^id: (\S+)\nevent: (\w+)\ndata: (.*)$/m.exec(text) ?? []
  return { id: /^\d+$/.test(id) ? Number(id) : id, event, data: JSON.parse(data) }
}

/** Answers of operations whose objects a test of one server does not have: remote storage, a chat template, shards. */
export const UNRECORDED: Readonly<Record<string, RecordedAnswer>> = {
  fillCache: cacheAnswer(202, { status: "warming", cached_files: 0, cached_bytes: 0 }),
  emptyCache: cacheAnswer(200, { status: "idle", cached_files: 0, cached_bytes: 0 }),
  renderChat: {
    status: 200,
    type: "application/json",
    example: { text: "<|user|>\nHello<|end|>\n<|assistant|>\n", fault: null, special_tokens: ["<|user|>", "<|end|>"] },
  },
  getLeaderboard: {
    status: 200,
    type: "application/json",
    example: {
      object: "list",
      dataset: "default/capitals/rows.jsonl",
      score: "capitals.city.string-check",
      scores: ["capitals.city.string-check"],
      higher_is_better: true,
      data: [
        {
          job: `eval-${ID}`,
          name: "contains-city",
          model: "rows",
          created_at: TIME,
          mean: 0.85,
          low: 0.64,
          high: 0.948,
          group: "a",
        },
      ],
      different_rows: 0,
      left_out: 0,
    },
  },
  getShardLog: { status: 200, type: "text/plain", example: "shard 0 of 4: rows 0 to 249\n" },
}

function cacheAnswer(status: number, changed: object): RecordedAnswer {
  return { status, type: "application/json", example: { files: 12, bytes: 48_000_000, error: null, ...changed } }
}

function shortened(value: unknown, plain: (text: string) => string, key = ""): unknown {
  if (typeof value === "string") return plain(value)
  if (typeof value === "number") return MEASURED.find(([name]) => name.test(key))?.[1] ?? value
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((member) => shortened(member, plain, key))
  if (!isObject(value) || isExactNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [plain(name), shortened(inner, plain, name)]))
}
