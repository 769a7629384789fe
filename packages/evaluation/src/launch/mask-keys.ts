import { maskUrlUsers, secretsOfHarness } from "@assay/schemas"
import { HIDDEN_KEY, isKeyName } from "./key-names.ts"

/**
 * `value` with every key in it as `******`, at any depth: what answers and results show of targets and configurations.
 * Users and passwords in addresses are hidden. References to secrets stay, also those of a harness, and so does the name of a
 * variable. What holds no key comes back as it is.
 */
export function maskKeys<T>(value: T): T {
  return mask(maskUrlUsers(value)) as T
}

function mask(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const parts = value.map(mask)
    return parts.some((part, index) => part !== value[index]) ? parts : value
  }
  const entries = Object.entries(value)
  const masked = entries.map(([name, part]) => [name, maskPart(name, part)] as const)
  return masked.some(([, part], index) => part !== entries[index]?.[1]) ? Object.fromEntries(masked) : value
}

function maskPart(name: string, part: unknown): unknown {
  if (isKeyName(name)) return hide(part)
  const masked = mask(part)
  const secrets = name === "harness" ? secretsOfHarness(part) : undefined
  // They stand under names of variables, of which some are like those of keys.
  return secrets === undefined || masked === part ? masked : { ...(masked as object), secrets }
}

/** What stands where a key belongs. An object is none: the property of a JSON schema can have such a name. */
function hide(key: unknown): unknown {
  if (key === null || key === undefined || key === "") return key
  return typeof key === "object" && !Array.isArray(key) ? mask(key) : HIDDEN_KEY
}
