/** A place in the house: which floor, and which of our packages it may import at run time. */
export interface Place {
  /** `tooling` and `side` are imported by nobody at run time. */
  readonly floor: 0 | 1 | 2 | 3 | 4 | "side" | "tooling"
  readonly mayImport: readonly string[] | "all"
  /** The only packages of others that it may import; any when absent. */
  readonly thirdParty?: readonly string[]
}

const all = "all"

/** Who may import whom, by the name after `@assay/`. ARCHITECTURE.md shows the same table and says why. */
export const PACKAGES: Readonly<Record<string, Place>> = {
  schemas: { floor: 0, mayImport: [], thirdParty: ["@sinclair/typebox"] },
  storage: { floor: 1, mayImport: ["schemas"] },
  inference: { floor: 1, mayImport: ["schemas"] },
  metrics: { floor: 1, mayImport: ["schemas"] },
  templates: { floor: 1, mayImport: ["schemas"] },
  client: { floor: 1, mayImport: ["schemas"] },
  registry: { floor: 2, mayImport: ["schemas", "storage"] },
  contents: { floor: 2, mayImport: ["schemas", "storage", "templates"] },
  guardrails: { floor: 2, mayImport: ["schemas", "inference", "metrics", "templates"] },
  evaluation: {
    floor: 3,
    mayImport: ["schemas", "storage", "inference", "metrics", "templates", "registry", "contents", "guardrails"],
  },
  server: {
    floor: 4,
    mayImport: ["schemas", "storage", "inference", "metrics", "registry", "contents", "guardrails", "evaluation"],
  },
  cli: {
    floor: 4,
    mayImport: ["schemas", "client", "server", "storage", "contents", "guardrails", "inference", "evaluation"],
  },
  console: { floor: 4, mayImport: ["schemas", "client"] },
  testkit: { floor: "side", mayImport: [] },
  tsconfig: { floor: "tooling", mayImport: [] },
  checks: { floor: "tooling", mayImport: all },
  bench: { floor: "tooling", mayImport: all },
}
