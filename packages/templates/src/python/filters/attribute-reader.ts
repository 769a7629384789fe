import { getItem } from "../methods/attribute-access.ts"
import { textMethod } from "../methods/text-method.ts"
import { isUndefined, type PythonValue } from "../values/python-value.ts"

/**
 * Returns a function that reads an attribute of an item. Dots lead to attributes of attributes, and digits are indices.
 * Null reads the item itself.
 * @param fallback the value of an attribute that is undefined
 */
export function attributeReader(attribute: PythonValue, fallback?: PythonValue): (item: PythonValue) => PythonValue {
  if (attribute === null) return (item) => item
  const parts: readonly PythonValue[] =
    typeof attribute === "string"
      ? attribute.split(".").map((part) => (/^\d+$/.test(part) ? BigInt(part) : part))
      : [attribute]
  return (item) =>
    parts.reduce((inner, part) => {
      const value = getItem(inner, part, textMethod)
      return isUndefined(value) && fallback !== undefined ? fallback : value
    }, item)
}
