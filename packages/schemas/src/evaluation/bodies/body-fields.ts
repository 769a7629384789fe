/** The meaning of a field in any body. */
export type FieldRule =
  /**
   * A key, which answers show as `******`. The name matches however its words are joined: `api_key`, `apiKey`, `API-Key`.
   * If there is a `reference`, the key may be written inline: it is stored as a secret, and the field of this name refers to it.
   */
  | { readonly kind: "key"; readonly reference?: string }
  /** The name of a secret, as text. */
  | { readonly kind: "secret-reference" }
  /** An object with the `url` and `model_id` of a model. */
  | { readonly kind: "endpoint" }
  /** The address of row files, as text. */
  | { readonly kind: "dataset" }
  /** A harness. Its `secrets` are references under the names of variables. */
  | { readonly kind: "harness" }
  /** Rows that are evaluated, the tools and the state of conversations, and the program of an agent. A column may have any name, so nothing in them is a reference, and no key is stored. */
  | { readonly kind: "rows" }
  /** Data that users attach to a record. Nothing in it is a reference. */
  | { readonly kind: "custom-fields" }

export type FieldKind = FieldRule["kind"]

/** Rules by the name of a field. `*` at the beginning of a name matches any text. */
export type FieldRules = Readonly<Record<string, FieldRule>>

/** Every field of targets, configurations and jobs that has a meaning for keys, secrets, hosts or datasets. */
export const FIELD_RULES = {
  api_key: { kind: "key", reference: "api_key_secret" },
  hf_token: { kind: "key", reference: "hf_token_secret" },
  x_api_key: { kind: "key" },
  access_token: { kind: "key" },
  auth_token: { kind: "key" },
  bearer_token: { kind: "key" },
  authorization: { kind: "key" },
  proxy_authorization: { kind: "key" },
  client_secret: { kind: "key" },
  password: { kind: "key" },
  "*_secret": { kind: "secret-reference" },
  api_endpoint: { kind: "endpoint" },
  files_url: { kind: "dataset" },
  harness: { kind: "harness" },
  rows: { kind: "rows" },
  tools: { kind: "rows" },
  program: { kind: "rows" },
  state: { kind: "rows" },
  custom_fields: { kind: "custom-fields" },
  ownership: { kind: "custom-fields" },
} as const satisfies FieldRules

/** The table of rules, ready for lookups. */
export interface BodyFields {
  /** Returns every kind that a field of this name is: `client_secret` is a key as well as a reference. */
  readonly kindsOf: (name: string) => readonly FieldKind[]
  /** Returns the field that refers to the secret made of an inline key; undefined if the name is not one of an inline key. */
  readonly referenceOf: (name: string) => string | undefined
}

const NONE: readonly FieldKind[] = []

export function createBodyFields(rules: FieldRules): BodyFields {
  const entries = Object.entries(rules)
  const exact = new Map(entries)
  const keys = new Set(entries.flatMap(([name, { kind }]) => (kind === "key" ? [joined(name)] : [])))
  const endings = entries.flatMap(([name, { kind }]) => (name.startsWith("*") ? [[name.slice(1), kind] as const] : []))
  return {
    kindsOf(name) {
      const own = exact.get(name)?.kind
      const found: readonly FieldKind[] = own === undefined ? NONE : [own]
      const isOtherKey = own !== "key" && keys.has(joined(name))
      const more = endings.filter(([ending]) => name.endsWith(ending)).map(([, kind]) => kind)
      if (!isOtherKey && more.length === 0) return found
      return [...found, ...(isOtherKey ? (["key"] as const) : []), ...more]
    },
    referenceOf(name) {
      const rule = exact.get(name)
      return rule?.kind === "key" ? rule.reference : undefined
    },
  }
}

export const BODY_FIELDS = createBodyFields(FIELD_RULES)

/** Returns whether a value under `name` is a key, however the words of the name are joined. */
export function isKeyName(name: string): boolean {
  return BODY_FIELDS.kindsOf(name).includes("key")
}

function joined(name: string): string {
  return name.replace(/[\s_-]/g, "").toLowerCase()
}
