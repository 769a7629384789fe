import * as fc from "fast-check"
import { PURPOSES, type Fileset } from "../filesets/fileset.ts"
import type { StorageConfiguration } from "../filesets/storage-configuration.ts"
import {
  idArbitrary,
  keyArbitrary,
  nameArbitrary,
  scalarArbitrary,
  timestampArbitrary,
  wordArbitrary,
} from "./vocabulary.ts"

/** Generates filesets with the values that `filterArbitrary` uses. Ids and names can repeat; collect them with `fc.uniqueArray`. */
export function filesetArbitrary(): fc.Arbitrary<Fileset> {
  return fc.record({
    id: idArbitrary(),
    name: nameArbitrary(),
    workspace: fc.constantFrom("default", "other"),
    description: wordArbitrary(),
    purpose: fc.constantFrom(...PURPOSES),
    storage: fc.constantFrom(...STORAGES),
    metadata: fc.constantFrom(...METADATA),
    custom_fields: customFieldsArbitrary(),
    project: fc.oneof(fc.constant(""), nameArbitrary()),
    created_at: timestampArbitrary(),
    updated_at: timestampArbitrary(),
  })
}

function customFieldsArbitrary(): fc.Arbitrary<Record<string, unknown>> {
  const scalar = { weight: 5, arbitrary: scalarArbitrary() }
  const list = fc.array(scalarArbitrary(), { maxLength: 2 })
  return fc.oneof(
    { weight: 9, arbitrary: mapOf(fc.oneof(scalar, list, mapOf(fc.oneof(scalar, list)))) },
    fc.constant({}),
  )
}

/** Generates maps. `fromEntries` also creates a key named `__proto__`. */
function mapOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const entry = fc.tuple(keyArbitrary(), value)
  return fc.array(entry, { minLength: 1, maxLength: 4 }).map((entries) => Object.fromEntries(entries))
}

const STORAGES: readonly StorageConfiguration[] = [
  { type: "local", path: "/data" },
  { type: "catalog", org: "org", team: "", target: "asset", api_key_secret: "key" },
  { type: "hub", repo_id: "owner/repository" },
  { type: "objstore", bucket: "bucket" },
]

const METADATA: readonly Fileset["metadata"][] = [
  {},
  { dataset: { schema: "a" } },
  { dataset: { schema: { type: "object" }, schema_defs: {} } },
  { model: { tool_calling: { tool_call_parser: "A", auto_tool_choice: true } } },
]
