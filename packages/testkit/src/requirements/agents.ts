import { rules, type Requirement } from "./requirement.ts"

/** Assistants, and clients that are generated from the description of the interface. */
export const AGENTS: readonly Requirement[] = [
  ...rules("agents.md#tools", {
    "mcp.evaluation":
      "An assistant finds data, launches an evaluation, follows it, and reads its scores and its report with the tools alone.",
    "mcp.failures":
      "A failed job is explained with evidence and remedies; a refused launch lists each failed check with its remedy.",
    "mcp.guardrail": "A message is checked with a guardrail configuration.",
    "mcp.schemas":
      "Each tool has closed input schemas with ranges, an output schema that its answers satisfy, and hints.",
    "mcp.errors": "A failed call is an error of the tool with our code, message and remedy.",
    "mcp.bounded": "Answers are bounded in size, and say what was left out and how to get the rest.",
    "mcp.rights":
      "A tool has the rights of the caller's token, whatever its role, and writes leave an audit record of that token.",
    "mcp.no-secret": "No answer of a tool contains a key or a token.",
  }),
  ...rules("agents.md#transports", {
    "mcp.http":
      "POST /mcp answers each request by itself; GET and DELETE are 405, other bodies are refused, and sizes are bounded.",
    "mcp.origin": "POST /mcp refuses pages of other sites, and a session cookie without a token.",
    "mcp.stdio":
      "`assay mcp` serves the same tools over stdio, writes only messages to stdout, and ends with its stdin.",
  }),
  ...rules("agents.md#generated-clients", {
    "service.openapi-valid": "The OpenAPI description has no problem for redocly lint.",
    "service.openapi-answers":
      "Each operation has a description, an example of a recorded answer or the type of its download, and no required parameter with a default.",
    "service.openapi-clients":
      "A client that openapi-typescript and openapi-fetch make of the description compiles and works.",
  }),
  ...rules("agents.md#skills", {
    "skills.commands": "`assay skills install` writes a short skill whose commands all run.",
    "skills.kept":
      "A skill that somebody changed is replaced only with --force; one that this program wrote is replaced by a newer one.",
  }),
]
