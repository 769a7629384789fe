import { join } from "node:path/posix"
import { parseAllDocuments } from "yaml"
import { readText } from "../reading/repository.ts"

export type Fields = Readonly<Record<string, unknown>>

/** A manifest of Kubernetes, or a patch of one. */
export interface Manifest {
  readonly file: string
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly fields: Fields
}

export interface Kustomization {
  readonly folder: string
  readonly resources: readonly Manifest[]
  readonly patches: readonly Manifest[]
}

/** Returns the value at a path of keys and indexes. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value)
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null
}

/** Returns the text or the number at a path; empty if there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path)
  return typeof found === "string" || typeof found === "number" ? `${found}` : ""
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Reads the manifests of a YAML text. A wrong YAML text, and a document that is not a manifest, throw. */
export function parseManifests(file: string, text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0] !== undefined) throw new Error(`${file}: ${document.errors[0].message}`)
    const fields: unknown = document.toJS()
    const [apiVersion, kind, name] = [at(fields, "apiVersion"), at(fields, "kind"), at(fields, "metadata", "name")]
    if (!isFields(fields) || typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string")
      throw new Error(`${file}: a document needs apiVersion, kind and metadata.name.`)
    return { file, apiVersion, kind, name, fields }
  })
}

/** Reads a folder with a kustomization, and those that it names. A file that does not exist throws. */
export function readKustomization(folder: string): Kustomization {
  const file = join(folder, "kustomization.yaml")
  const [document] = parseAllDocuments(readText(file))
  const fields: unknown = document?.toJS()
  const resources = listAt(fields, "resources").flatMap((name) => {
    const path = join(folder, String(name))
    return path.endsWith(".yaml") ? parseManifests(path, readText(path)) : readKustomization(path).resources
  })
  const patches = listAt(fields, "patches").flatMap((patch) => {
    const path = at(patch, "path")
    if (typeof path !== "string") return parseManifests(file, String(at(patch, "patch")))
    return parseManifests(join(folder, path), readText(join(folder, path)))
  })
  return { folder, resources, patches }
}
