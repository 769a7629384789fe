/** The floor of a package, and the packages of ours that it may import at run time. */
export interface Place {
  /** Nothing imports `tooling` and `side` at run time. */
  readonly floor: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | "side" | "tooling"
  readonly mayImport: readonly string[] | "all"
  /** Its published files contain its dependencies, which are therefore needed for its development alone. Default false. */
  readonly isBundled?: boolean
  /** The packages whose built files it serves, without an import. */
  readonly serves?: readonly string[]
  /** The only third-party packages that it may import. Default: any. */
  readonly thirdParty?: readonly string[]
}

const all = "all"

/** The packages that each package may import, by the name after `@assay/`. ARCHITECTURE.md shows the same table and says why. */
export const PACKAGES: Readonly<Record<string, Place>> = {
  json: { floor: 0, mayImport: [] },
  schemas: { floor: 1, mayImport: ["json"], thirdParty: ["@sinclair/typebox", "ajv", "leven", "yaml"] },
  http: { floor: 2, mayImport: ["schemas"] },
  templates: { floor: 2, mayImport: ["json", "schemas"] },
  metrics: { floor: 2, mayImport: ["json", "schemas"] },
  reports: { floor: 2, mayImport: ["schemas"] },
  telemetry: { floor: 2, mayImport: ["json", "schemas"] },
  storage: { floor: 3, mayImport: ["json", "schemas", "http"] },
  inference: { floor: 3, mayImport: ["json", "schemas", "http", "telemetry"] },
  client: { floor: 3, mayImport: ["json", "schemas", "http"] },
  registry: { floor: 4, mayImport: ["json", "schemas", "storage"] },
  contents: { floor: 4, mayImport: ["json", "schemas", "storage", "templates"] },
  guardrails: { floor: 4, mayImport: ["json", "schemas", "inference", "metrics", "templates", "reports"] },
  transfer: { floor: 4, mayImport: ["schemas", "http", "storage", "client"] },
  access: { floor: 5, mayImport: ["schemas", "storage", "registry"] },
  hub: { floor: 5, mayImport: ["json", "schemas", "storage", "registry"] },
  backup: { floor: 5, mayImport: ["schemas", "storage", "registry"] },
  scoring: {
    floor: 5,
    mayImport: ["json", "schemas", "http", "templates", "metrics", "inference", "contents", "guardrails"],
  },
  harness: { floor: 5, mayImport: ["json", "schemas", "templates", "storage", "inference"] },
  results: {
    floor: 6,
    mayImport: [
      "json",
      "schemas",
      "http",
      "metrics",
      "reports",
      "storage",
      "inference",
      "registry",
      "guardrails",
      "scoring",
    ],
  },
  evaluation: {
    floor: 7,
    mayImport: [
      "json",
      "schemas",
      "templates",
      "metrics",
      "reports",
      "telemetry",
      "storage",
      "inference",
      "registry",
      "contents",
      "guardrails",
      "scoring",
      "harness",
      "results",
    ],
  },
  jobs: {
    floor: 8,
    mayImport: [
      "json",
      "schemas",
      "templates",
      "metrics",
      "reports",
      "telemetry",
      "storage",
      "inference",
      "registry",
      "contents",
      "guardrails",
      "scoring",
      "harness",
      "results",
      "evaluation",
    ],
  },
  imports: {
    floor: 8,
    mayImport: ["json", "schemas", "templates", "metrics", "storage", "contents", "scoring", "evaluation"],
  },
  server: {
    floor: 9,
    serves: ["console"],
    mayImport: [
      "json",
      "schemas",
      "http",
      "templates",
      "metrics",
      "reports",
      "telemetry",
      "storage",
      "inference",
      "registry",
      "access",
      "hub",
      "backup",
      "contents",
      "guardrails",
      "harness",
      "results",
      "evaluation",
      "jobs",
    ],
  },
  cli: {
    floor: 9,
    mayImport: [
      "json",
      "schemas",
      "http",
      "reports",
      "telemetry",
      "client",
      "transfer",
      "storage",
      "contents",
      "guardrails",
      "inference",
      "scoring",
      "harness",
      "results",
      "evaluation",
      "imports",
      "jobs",
      "server",
    ],
  },
  console: { floor: 9, mayImport: ["json", "schemas", "client", "reports"], isBundled: true },
  testkit: { floor: "side", mayImport: [] },
  tsconfig: { floor: "tooling", mayImport: [] },
  checks: { floor: "tooling", mayImport: all },
  bench: { floor: "tooling", mayImport: all },
  scale: { floor: "tooling", mayImport: all },
  bundle: { floor: "tooling", mayImport: [] },
  release: { floor: "tooling", mayImport: ["bundle"] },
}
