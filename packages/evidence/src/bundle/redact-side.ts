import type { DatasetPin, EvaluationConfigBody, EvaluationResult } from "@assay/schemas"
import { mapScores } from "../statement/map-scores.ts"
import type { BundleSide } from "../statement/verdict-statement.ts"

/** Gives names of files other names, the same ones for the same files. */
export interface FileNames {
  readonly of: (kind: "dataset" | "file", name: string) => string
}

export function createFileNames(): FileNames {
  const known = new Map<string, string>()
  const counts = { dataset: 0, file: 0 }
  return {
    of(kind, name) {
      const key = `${kind}\0${name}`
      const found = known.get(key) ?? `${kind}-${++counts[kind]}`
      known.set(key, found)
      return found
    },
  }
}

/** Returns a side without texts: prompts, templates, names of files and models are left out. */
export function redactSide(side: BundleSide, names: FileNames): BundleSide {
  const { role, pins, result } = side
  return {
    ...side,
    name: role,
    namespace: "",
    target: null,
    config: redactConfig(side),
    pins: pins.map((pin) => redactPin(pin, names)),
    result: { tasks: withoutFilesets(result.tasks), groups: withoutFilesets(result.groups) },
  }
}

/** Returns what the numbers depend on. The digest of a metric stands for its parameters, so that comparisons see if they differ. */
function redactConfig({ config: { type, params, tasks = {} }, metrics: identities }: BundleSide): EvaluationConfigBody {
  const gates = params?.gates
  const redacted = Object.entries(tasks).map(([task, { type: taskType, metrics = {} }]) => {
    const named = Object.entries(metrics).map(([metric, { type: metricType, labels }]) => {
      const identity = identities[`${task}.${metric}`]?.identity ?? ""
      const people = labels === undefined ? {} : { labels: "labels" }
      return [metric, { type: metricType, params: { identity }, ...people }] as const
    })
    const given = taskType === undefined ? {} : { type: taskType }
    return [task, { ...given, metrics: Object.fromEntries(named) }] as const
  })
  return {
    type,
    ...(gates === undefined ? {} : { params: { gates } }),
    tasks: Object.fromEntries(redacted),
  }
}

function redactPin({ files_url, revision, files }: DatasetPin, names: FileNames): DatasetPin {
  const url = names.of("dataset", files_url)
  const redacted = files.map(({ path, size, sha256 }) => {
    return { path: names.of("file", `${files_url}\0${path}`), size, sha256, etag: null }
  })
  return { files_url: url, fileset: url, fileset_id: "", revision, files: redacted }
}

function withoutFilesets(part: EvaluationResult["tasks"]): EvaluationResult["tasks"] {
  return mapScores(part, ({ corrected, judge, ...score }) => ({
    ...score,
    ...(corrected === undefined ? {} : { corrected: { ...corrected, fileset: "labels" } }),
    ...(judge === undefined ? {} : { judge: { ...judge, model: null } }),
  }))
}
