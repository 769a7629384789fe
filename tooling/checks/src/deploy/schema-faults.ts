import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { isFields, type Manifest } from "./read-manifests.ts"

/** Fields whose keys users choose. */
const MAPS = new Set(["annotations", "data", "labels", "limits", "matchLabels", "requests", "selector", "metadata"])

type Model = new (fields: unknown) => { validate(): void }

function isModel(value: unknown): value is Model {
  return typeof value === "function"
}

/**
 * Returns what is wrong with a manifest according to the schema of its kind. The schemas allow unknown fields, so names that are
 * in no type of the kind are reported too.
 */
export async function schemaFaults({ file, apiVersion, kind, name, fields }: Manifest): Promise<readonly string[]> {
  const scope = apiVersion.startsWith("keda.sh/") ? "@kubernetes-models/keda" : "kubernetes-models"
  const path = `${scope}/${apiVersion}/${kind}`
  const module: unknown = await import(path)
  const model: unknown = isFields(module) ? module[kind] : undefined
  if (!isModel(model)) throw new Error(`${file}: there is no schema of ${apiVersion} ${kind}.`)
  const faults: string[] = []
  try {
    new model(fields).validate()
  } catch (error) {
    faults.push(`${file}: ${kind} '${name}': ${(error as Error).message}`)
  }
  const known = fieldNames(import.meta.resolve(path))
  return [...faults, ...unknownFields(fields, known).map((field) => `${file}: ${kind} '${name}': unknown '${field}'`)]
}

function unknownFields(value: unknown, known: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unknownFields(one, known))
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!known.has(key)) return [key]
    return MAPS.has(key) && !isNested(inner) ? [] : unknownFields(inner, known)
  })
}

/** Returns whether a value is more than a map of texts, such as the `metadata` of a manifest with labels. */
function isNested(value: unknown): boolean {
  return isFields(value) && Object.values(value).some(isFields)
}

/** Returns the names of the fields in the types of a module, and in those that these import. */
function fieldNames(module: string): ReadonlySet<string> {
  const names = new Set<string>()
  const read = new Set<string>()
  const waiting = [module]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (!one.endsWith(".js")) continue
    const file = fileURLToPath(one).replace(/\.js$/, ".d.ts")
    if (read.has(file) || !existsSync(file)) continue
    read.add(file)
    const text = readFileSync(file, "utf8")
    for (const [, name = ""] of text.matchAll(/^\s+"([^"]+)"\??:/gm)) names.add(name)
    for (const [, name = ""] of text.matchAll(/from "([^"]+)"/g)) waiting.push(import.meta.resolve(name, one))
  }
  return names
}
