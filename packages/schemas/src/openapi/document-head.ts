const DESCRIPTION = `A registry, an evaluator and a judge for the files of AI teams.

- **Filesets** are named collections of files in workspaces. Their bytes are on local disk, in an asset catalog, on a hub or in an object store. One interface streams them, validates rows against schemas and reads the specification of a model from its checkpoint.
- **Evaluation jobs** run a configuration against a target. They survive a crash, and explain a failure with evidence and a remedy.
- **Guardrails** ask judges about messages. They never guess "safe".

If a server requires tokens, send \`Authorization: Bearer …\`; \`assay token create\` creates one. An error has a \`code\` for programs and a \`detail\` for people. In a 422, \`detail\` lists the location of each error. Unknown keys and query parameters are refused. Lists are paginated.

The examples build on each other: some create what others read, change and delete. All of them work on a new server. Their models are those of \`npm run fake-endpoint\`.`

/** Version of the interface. It does not change with every version of the server. */
const DESCRIPTION_VERSION = "1.0.0"

const TAGS = [
  "filesets",
  "files",
  "rows",
  "uploads",
  "hub",
  "s3",
  "models",
  "guardrails",
  "guardrails openai",
  "guardrails v1",
  "evaluation",
  "secrets",
  "workspaces",
  "projects",
  "platform v1",
  "mcp",
  "service",
]

/** The OpenAPI document (version 3.1) without its operations. */
export const DOCUMENT_HEAD = {
  openapi: "3.1.0",
  info: { title: "Assay API", description: DESCRIPTION, version: DESCRIPTION_VERSION },
  components: { securitySchemes: { bearer: { type: "http" as const, scheme: "bearer" } } },
  security: [{ bearer: [] }],
  tags: TAGS.map((name) => ({ name })),
}
