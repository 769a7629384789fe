import type { TypeSet } from "./column-types.ts"

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * What the text of a field stands for in a column of these types; undefined where it stands for no value at all.
 *
 * Text stays text wherever a string is allowed. Elsewhere the empty field is null, or missing where null is not allowed;
 * a number is read as JSON writes it, `true` and `false` in any case, arrays and objects as JSON. What can't be read stays
 * text, so that the schema says what is wrong with it.
 */
export function readField(text: string, types: TypeSet): unknown {
  if (types.has("string")) return text
  if (text === "") return types.has("null") ? null : undefined
  if ((types.has("integer") || types.has("number")) && JSON_NUMBER.test(text)) return finiteOr(Number(text), text)
  if (types.has("boolean") && /^(?:true|false)$/i.test(text)) return text.length === 4
  if ((types.has("array") && text.startsWith("[")) || (types.has("object") && text.startsWith("{"))) {
    return parsedOr(text)
  }
  return text
}

function finiteOr(value: number, text: string): unknown {
  return Number.isFinite(value) ? value : text
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
