import { describeRange } from "@assay/json"

/** A branch of a union, as far as it is described. */
interface Form {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly anyOf?: readonly Form[]
  readonly oneOf?: readonly Form[]
}

/** Maximum number of forms and values that a message lists. */
const MAX_LISTED = 12

/** Describes what a union allows, such as `"early", "never" or null` and `a text or an object with 'url'`. */
export function describeForms(union: unknown): string {
  const forms = [...new Set(formsOf(union))]
  if (forms.length === 0 || forms.length > MAX_LISTED) return "one of the forms that the documentation lists"
  const last = forms.at(-1) ?? ""
  return forms.length === 1 ? last : `${forms.slice(0, -1).join(", ")} or ${last}`
}

function formsOf(union: unknown): readonly string[] {
  if (!Array.isArray(union)) return []
  return (union as readonly Form[]).flatMap((form) => {
    if (form.anyOf !== undefined || form.oneOf !== undefined) return formsOf(form.anyOf ?? form.oneOf)
    if (Object.hasOwn(form, "const")) return [JSON.stringify(form.const)]
    if (form.enum !== undefined) return form.enum.map((value) => JSON.stringify(value))
    return [form.type ?? []].flat().map((type) => describeType(type, form))
  })
}

function describeType(type: string, form: Form): string {
  if (type === "integer" || type === "number") return describeRange({ ...form, type })
  if (type === "object") {
    const { required = [] } = form
    return required.length === 0 ? "an object" : `an object with '${required.slice(0, 4).join("', '")}'`
  }
  return { string: "a text", array: "a list", boolean: "true or false", null: "null" }[type] ?? type
}
