import * as fc from "fast-check"
import { expect, it } from "vitest"
import { readBodyFacts } from "./body-facts.ts"
import { storeInlineKeys } from "./inline-keys.ts"
import { findFields } from "./map-fields.ts"
import { secretsNamedIn } from "./secret-references.ts"

const NAMES = [
  "api_key",
  "api_key_secret",
  "api_endpoint",
  "harness",
  "environment",
  "secrets",
  "rows",
  "custom_fields",
]

/** JSON of any shape whose fields have a meaning for keys, secrets and endpoints. */
const anyBody = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom("a", "b", "******", null, 1),
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, "other"), tie("node"), { maxKeys: 4 }),
  ),
})).node

it("One walk over a body finds the same endpoints, secrets and inline keys as a walk for each of them", async () => {
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const { endpoints, secretReferences, inlineKeys } = readBodyFacts(body)
      expect(endpoints).toEqual(findFields(body, "endpoint"))
      const named = secretsNamedIn(body, "home").map(({ workspace, name }) => `${workspace}/${name}`)
      expect(secretReferences.map((name) => `home/${name}`)).toEqual(named)
      const kept = new Set<string>()
      const stored = JSON.stringify(await storeInlineKeys(body, async (key) => (kept.add(key), `of-${key}`)))
      // The reference of a key replaces one beside it, also if that one has keys inside.
      for (const key of inlineKeys) expect(kept).toContain(key)
      // A key that the walk missed has an empty reference.
      expect(stored).not.toContain(':""')
    }),
  )
})

it("A key inside of custom fields is stored, although nothing there is a reference", () => {
  const body = {
    custom_fields: { api_key: "k", api_key_secret: "s", api_endpoint: {} },
    params: { api_key_secret: "t" },
  }
  expect(readBodyFacts(body)).toEqual({ endpoints: [], secretReferences: ["t"], inlineKeys: ["k"] })
})

it("What follows custom fields or a harness in lists of lists is not inside of them", () => {
  const facts = readBodyFacts([
    [{ custom_fields: {} }, [{ api_endpoint: "a", api_key_secret: "s" }]],
    [{ harness: {} }, [[{ api_key: "k" }]]],
  ])
  expect(facts).toMatchObject({ endpoints: [{ value: "a" }], secretReferences: ["s"], inlineKeys: ["k"] })
})

it("The variables of a harness that are named like keys are inline keys, and no other field of it is", () => {
  const harness = {
    api_key: "no",
    environment: { OPENAI_API_KEY: "yes", HOME: "/", api_key: "yes" },
    secrets: { A: "s" },
  }
  expect(readBodyFacts([{ harness }, { api_key: "later" }])).toEqual({
    endpoints: [],
    secretReferences: ["s"],
    inlineKeys: ["yes", "later"],
  })
})
