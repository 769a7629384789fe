import type { Completion, Completions } from "../../../../../components/code-editor/completion.ts"
import { type SchemaPart, schemasAt } from "./schema-at.ts"
import { tokensOf, type YamlPlace, yamlPlace } from "./yaml-place.ts"

/** What this server has that a file can name. */
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
export function completeFile(text: string, offset: number, schema: FileSchema, names: KnownNames): Completions | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset)
  const inTemplate = /\{\{\s*(?:item\.)?([\w.]*)$/u.exec(line)
  if (inTemplate !== null) {
    const items = [...names.columns.map((label) => ({ label, about: "column" })), ...SAMPLE]
    return { from: offset - (inTemplate[1] ?? "").length, items }
  }
  const place = yamlPlace(text, offset)
  if (place === undefined) return undefined
  const isLong = /^(?:target|config):/mu.test(text)
  const root = (isLong ? schema.then : schema.else) ?? {}
  const schemas = schemasAt(root, place.path)
  const keys = place.kind === "value" ? [] : keysOf(schemas, siblingsOf(text, place))
  const values = place.kind === "key" ? [] : valuesOf(schemas, place, names)
  const items = [...new Map([...keys, ...values].map((item) => [item.label, item])).values()]
  return items.length === 0 ? undefined : { from: place.from, items }
}

const SAMPLE: readonly Completion[] = [{ label: "sample.output_text", about: "the answer" }]

function keysOf(schemas: readonly SchemaPart[], taken: ReadonlySet<string>): readonly Completion[] {
  return schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([key]) => !taken.has(key))
      .map(([key, { description }]) => ({ label: key, text: `${key}: `, ...aboutOf(description) })),
  )
}

function valuesOf(schemas: readonly SchemaPart[], { path, isInline }: YamlPlace, names: KnownNames): readonly Completion[] {
  const known = namesAt(path, names)
  if (known !== undefined) return known.map((label) => ({ label, text: quoted(label, isInline) }))
  return schemas.flatMap((schema) => {
    const { type, enum: choices = [], default: usual, examples = [] } = schema
    const fixed = [...("const" in schema ? [schema.const] : []), ...choices, ...(type === "boolean" ? [true, false] : [])]
    // Examples with an address name a server that somebody else has.
    const shown = examples.filter((example) => typeof example === "string" && !/:\/\/|…|^[-[{]/u.test(example))
    const values = [...fixed, ...(usual === undefined ? [] : [usual]), ...(fixed.length === 0 ? shown : [])]
    return values.map((value) => {
      const label = String(value)
      const about = value === usual ? "default" : fixed.includes(value) ? undefined : "example"
      return { label, text: quoted(label, isInline), ...(about === undefined ? {} : { about }) }
    })
  })
}

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

/** Returns the keys that the object around the caret has already, as far as its indent shows. */
function siblingsOf(text: string, { from, isInline, kind }: YamlPlace): ReadonlySet<string> {
  if (isInline || kind === "item") return new Set()
  const column = from - (text.lastIndexOf("\n", from - 1) + 1)
  const keys = new Set<string>()
  /** Returns whether the object goes on beyond a line. */
  const read = (line: string): boolean => {
    const tokens = tokensOf(line)
    for (const token of tokens) if (token.column === column) keys.add(token.name)
    return (tokens[0]?.column ?? column) >= column
  }
  const above = text.slice(0, from).split("\n").slice(0, -1)
  above.toReversed().every(read)
  text.slice(from).split("\n").slice(1).every((line) => (tokensOf(line)[0]?.column ?? column) >= column && read(line))
  return keys
}

/** Returns a text as YAML has it: quoted if it would mean something else. */
function quoted(text: string, isInline: boolean): string {
  const isPlain = isInline ? /^[\w./:@-][^,{}[\]#"':]*(?::[^\s,{}[\]"']*)?$/u : /^[\w./][^{}"']*$/u
  return isPlain.test(text) && !/: | #/u.test(text) ? text : JSON.stringify(text)
}

function aboutOf(description: string | undefined): Pick<Completion, "about"> {
  if (description === undefined) return {}
  return { about: /^.*?(?:[.:;](?=\s)|$)/su.exec(description)?.[0].replace(/[:;]$/u, "") ?? description }
}
