import { isObject } from "@assay/json"
import { compileCheck, withoutIds } from "@assay/validation"
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import type { TObject } from "@sinclair/typebox"

const MAX_ISSUES = 10

/** Returns a schema as the protocol's library takes it. Values are checked, and defaults filled, as in bodies of the HTTP interface. */
export function checkedSchema(schema: TObject): StandardSchemaWithJSON<Record<string, unknown>> {
  const check = compileCheck(schema)
  const described = () => withoutIds(JSON.parse(JSON.stringify(schema))) as Record<string, unknown>
  return {
    "~standard": {
      version: 1,
      vendor: "assay",
      validate: (value: unknown) => {
        const checked = check(value)
        if (checked.valid) return { value: checked.value }
        const issues = checked.issues.slice(0, MAX_ISSUES).map(({ loc, msg }) => {
          return { message: loc.length === 0 ? msg : `'${loc.join(".")}': ${msg}` }
        })
        return { issues }
      },
      jsonSchema: { input: () => withOptionalDefaults(described()), output: described },
    },
  }
}

/** A field with a default value can be left out, although its schema says that the tool always has it. */
function withOptionalDefaults(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required } = schema
  if (!isObject(properties) || !Array.isArray(required)) return schema
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    isObject(field) ? withOptionalDefaults(field) : field,
  ])
  const needed = required.filter((name) => {
    const field: unknown = properties[String(name)]
    return !isObject(field) || !("default" in field)
  })
  return { ...schema, properties: Object.fromEntries(fields), required: needed }
}
