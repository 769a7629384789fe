import type { Completion, Completions } from "../../../../../components/code-editor/completion.ts"
import { completeYaml } from "../../../../../components/code-editor/yaml/complete-yaml.ts"
import type { SchemaPart } from "../../../../../components/code-editor/yaml/schema-at.ts"

/** The records of this server that a file can name. */
export interface KnownNames {
  /** Models, as `URL#NAME`. */
  readonly models: readonly string[]
  /** Datasets, as `workspace/fileset#path`. */
  readonly datasets: readonly string[]
  readonly secrets: readonly string[]
  readonly workspaces: readonly string[]
  /** The columns of the rows that the file names. */
  readonly columns: readonly string[]
  /** The checks that the file has. */
  readonly checks: readonly string[]
}

/** The schema of evaluation files, with one part for each form. */
export interface FileSchema {
  readonly then?: SchemaPart
  readonly else?: SchemaPart
}

/** Returns what can be written at an offset of an evaluation file: columns in a template, keys, and values. */
export function completeFile(
  text: string,
  offset: number,
  schema: FileSchema,
  names: KnownNames,
): Completions | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset)
  const inTemplate = /\{\{\s*(?:item\.)?([\w.]*)$/u.exec(line)
  if (inTemplate !== null) {
    const items = [...names.columns.map((label) => ({ label, about: "column" })), ...SAMPLE]
    return { from: offset - (inTemplate[1] ?? "").length, items }
  }
  const isLong = /^(?:target|config):/mu.test(text)
  const root = (isLong ? schema.then : schema.else) ?? {}
  return completeYaml(text, offset, root, (path) => namesAt(path, names))
}

const SAMPLE: readonly Completion[] = [{ label: "sample.output_text", about: "the answer" }]

/** Returns the names of this server that fit a path. Undefined: none do. */
function namesAt(path: readonly string[], names: KnownNames): readonly string[] | undefined {
  const [first] = path
  const last = path.findLast((step) => step !== "-")
  if (first === "data" && path.length === 1) return names.datasets
  if (first === "namespace") return names.workspaces
  if (first === "slices" || first === "group") return names.columns
  if (first === "gates") return names.checks.map((check) => `${check} >= `)
  if (last === "key" || last === "api_key_secret") return names.secrets
  const isModel =
    (path.length === 1 && first === "model") ||
    (path.length === 2 && first === "models") ||
    (last === "model" && /^(?:judge|user|embeddings)$/u.test(path.at(-2) ?? ""))
  return isModel ? names.models : undefined
}
