/** Whether a key of the vendor asks for something: not absent, null, false, empty, or an object whose `enabled` is false. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false
  if (Array.isArray(value)) return value.length > 0
  if (typeof value !== "object") return true
  return "enabled" in value ? value.enabled === true : Object.keys(value).length > 0
}
