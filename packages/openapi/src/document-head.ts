const DESCRIPTION = `A registry, an evaluator and a judge for the files of AI teams.

- **Filesets** are named collections of files in workspaces. Their bytes are on local disk, in an asset catalog, on a hub or in an object store. One interface streams them, validates rows against schemas and reads the specification of a model from its checkpoint.
- **Evaluation jobs** run a configuration against a target. They survive a crash, and explain a failure with evidence and a remedy.
- **Guardrails** ask judges about messages. They never guess "safe".

If a server requires tokens, send \`Authorization: Bearer …\`; \`assay token create\` creates one. An error has a \`code\` for programs and a \`detail\` for people. In a 422, \`detail\` lists the location of each error. Unknown keys and query parameters are refused. Lists are paginated.

The examples build on each other: some create what others read, change and delete. All of them work on a new server. Their models are those of \`npm run fake-endpoint\`.`

/** Version of the interface. It does not change with every version of the server. */
const DESCRIPTION_VERSION = "1.0.0"

const TAGS: Readonly<Record<string, string>> = {
  filesets: "Named collections of files in workspaces, and their read cache.",
  files: "The files of a fileset, as bytes.",
  rows: "The rows in files of a dataset: read, validate, infer a schema, profile.",
  uploads: "Resumable uploads (tus 1.0).",
  hub: "For clients of the Hugging Face Hub and of Git LFS.",
  s3: "For clients of S3.",
  models: "Checkpoints, what they are, and their chat templates.",
  guardrails: "Configurations of judges, and checks of messages with them.",
  "guardrails openai": "Guardrails for clients of OpenAI's API.",
  "guardrails v1": "Guardrails for clients of the first version.",
  evaluation: "Targets, configurations, jobs, results, labels, baselines and comparisons.",
  secrets: "Keys that other records name.",
  workspaces: "Workspaces and their budgets.",
  projects: "Names that records of a workspace can carry.",
  "platform v1": "Namespaces and datasets for clients of the first version of the platform.",
  mcp: "Tools for assistants (Model Context Protocol).",
  service: "The server itself: health, version, sessions, tokens, audit.",
}

/** The OpenAPI document (version 3.1) without its operations. */
export const DOCUMENT_HEAD = {
  openapi: "3.1.0",
  info: {
    title: "Assay API",
    description: DESCRIPTION,
    version: DESCRIPTION_VERSION,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  // The server that sends the document, whatever its address.
  servers: [{ url: "/" }],
  components: { securitySchemes: { bearer: { type: "http" as const, scheme: "bearer" } } },
  security: [{ bearer: [] }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
}
