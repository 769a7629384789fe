import { type CallArguments, fail, type PythonValue } from "../values/python-value.ts"
import { representationOf, pythonText } from "../values/python-text.ts"
import { getAttribute, getItem } from "./attribute-access.ts"
import { formatSpec } from "./format-spec.ts"

const FIELD = /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::([^{}]*))?\}|[{}]/g

/** Does the same as Python's `str.format`: `{}`, `{0}`, `{name.key[0]}`, with conversions and formats. */
export function formatFields(text: string, args: CallArguments): string {
  let next = 0
  return text.replaceAll(FIELD, (whole, name: string | undefined, conversion: string | undefined, spec = "") => {
    if (whole === "{{" || whole === "}}") return whole[0] ?? ""
    if (name === undefined) return fail("a format has a single brace")
    const value = fieldValue(name === "" || /^[.[]/.test(name) ? `${next++}${name}` : name, args)
    if (conversion !== undefined)
      return formatSpec(conversion === "s" ? pythonText(value) : representationOf(value), spec)
    return formatSpec(value, spec)
  })
}

function fieldValue(name: string, { positional, named }: CallArguments): PythonValue {
  const [first = "", ...rest] = name.match(/^[^.[]+|\.[^.[]+|\[[^\]]*\]/g) ?? []
  const value = /^\d+$/.test(first) ? positional[Number(first)] : named.get(first)
  if (value === undefined) return fail(`a format names '${first}', which is not given`)
  return rest.reduce((inner, part) => {
    if (part.startsWith(".")) return getAttribute(inner, part.slice(1))
    const key = part.slice(1, -1)
    return getItem(inner, /^\d+$/.test(key) ? BigInt(key) : key)
  }, value)
}
