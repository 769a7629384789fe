import { TOOLS } from "@assay/mcp"

const HEAD = `# The tools of assistants

<!-- Written from the tools by tooling/checks/src/write-tools-page.ts: change them in packages/mcp/src/tools, then run it. -->

\`assay mcp\` and \`/mcp\` have these tools. [Assistants](../guides/agents.md) shows how to connect one. Every field that has no default and no "optional" is
required; unknown fields are refused.
`

const EFFECTS = {
  reads: "Reads only.",
  asks: "Asks models, stores nothing. Needs the role editor.",
  creates: "Creates jobs. Needs the role editor.",
} as const

interface Field {
  readonly type?: string
  readonly anyOf?: readonly Field[]
  readonly enum?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

/** Formats the page of all tools and their fields. */
export function formatToolsPage(): string {
  const parts = TOOLS.map(({ name, description, effect, input }) => {
    const required: readonly string[] = input.required ?? []
    const rows = Object.entries(input.properties as Readonly<Record<string, Field>>).map(([key, field]) => {
      const notes = [field.description ?? "", rangeOf(field), presenceOf(field, required.includes(key))]
      return `| \`${key}\` | ${typeOf(field)} | ${notes.filter((note) => note !== "").join(" ")} |\n`
    })
    const table = `| Field | Type | Meaning |\n| --- | --- | --- |\n${rows.join("")}`
    return `\n## ${name}\n\n${description} ${EFFECTS[effect]}\n\n${table}`
  })
  return `${HEAD}${parts.join("")}`
}

function typeOf({ type, anyOf, enum: values }: Field): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ")
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ")
  return type === "string" ? "text" : type === "array" ? "list" : (type ?? "any")
}

function rangeOf({ minimum, maximum }: Field): string {
  return minimum === undefined || maximum === undefined ? "" : `From ${minimum} to ${maximum}.`
}

function presenceOf({ default: value }: Field, isRequired: boolean): string {
  if (value !== undefined) return `Default \`${JSON.stringify(value)}\`.`
  return isRequired ? "" : "Optional."
}
