import type { Completion, Completions } from "../completion.ts"
import { type SchemaPart, schemasAt } from "./schema-at.ts"
import { tokensOf, type YamlPlace, yamlPlace } from "./yaml-place.ts"

/** Returns the names that fit at a path, which replace the examples of its schema. Undefined: none are known there. */
export type NamesAt = (path: readonly string[]) => readonly string[] | undefined

const NO_NAMES: NamesAt = () => undefined

/** Returns what a schema allows at an offset of a YAML text: keys that its object does not have yet, and values. */
export function completeYaml(
  text: string,
  offset: number,
  root: SchemaPart,
  namesAt = NO_NAMES,
): Completions | undefined {
  const place = yamlPlace(text, offset)
  if (place === undefined) return undefined
  const schemas = schemasAt(root, place.path)
  const keys = place.kind === "value" ? [] : keysOf(schemas, siblingsOf(text, place))
  const values = place.kind === "key" ? [] : valuesOf(schemas, place, namesAt(place.path))
  const items = [...new Map([...keys, ...values].map((item) => [item.label, item])).values()]
  return items.length === 0 ? undefined : { from: place.from, items }
}

function keysOf(schemas: readonly SchemaPart[], taken: ReadonlySet<string>): readonly Completion[] {
  return schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([key]) => !taken.has(key))
      .map(([key, { description }]) => ({ label: key, text: `${key}: `, ...aboutOf(description) })),
  )
}

function valuesOf(
  schemas: readonly SchemaPart[],
  { isInline }: YamlPlace,
  known: readonly string[] | undefined,
): readonly Completion[] {
  if (known !== undefined) return known.map((label) => ({ label, text: quoted(label, isInline) }))
  return schemas.flatMap((schema) => {
    const { type, enum: choices = [], default: usual, examples = [] } = schema
    const fixed = [
      ...("const" in schema ? [schema.const] : []),
      ...choices,
      ...(type === "boolean" ? [true, false] : []),
    ]
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
  text
    .slice(from)
    .split("\n")
    .slice(1)
    .every((line) => (tokensOf(line)[0]?.column ?? column) >= column && read(line))
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
